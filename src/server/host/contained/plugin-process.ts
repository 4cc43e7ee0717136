import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BirpcReturn, createBirpc } from 'birpc';
import { ApiError, problems } from '#shared/errors';
import { withoutContext } from '../../base/context-variable.ts';
import type { Log } from '../../base/log.ts';
import { messagePipe } from './message-pipe.ts';
import type { PlainReply } from './plain-errors.ts';
import type { PluginFunctions, ServerFunctions } from './protocol.ts';

/** Limits of the process of a contained plugin. */
export const processLimits = {
  /** Largest heap, and largest process with everything outside of the heap, in bytes. */
  heapBytes: 128 * 2 ** 20,
  processBytes: 512 * 2 ** 20,
  /** Longest time without a sign of life, as in an endless loop. */
  silenceMs: 10_000,
  startMs: 30_000,
  /** Longest time for one call or event, and for one that holds a connection of the database. */
  callMs: 30_000,
  transactionTimeoutMs: 5000,
  /** Time without work after which the process ends; the next call starts it again. */
  idleMs: 10 * 60_000,
  /** Ends within ten minutes after which the process is not started again. */
  ends: 5,
} as const;

const watchMs = 500;
const endsWithinMs = 10 * 60_000;
const maxOutput = 4000;

export interface PluginProcessDeps {
  readonly id: string;
  /** Address of the built module whose `servePlugin` the process runs. */
  readonly processModule: string;
  readonly functions: ServerFunctions;
  /** Prepares a process in which the code of the product has started. */
  readonly prepare: (call: ProcessCalls) => Promise<void>;
  readonly log: Log;
}

/** Functions of a running process. */
export type ProcessCalls = BirpcReturn<PluginFunctions, ServerFunctions>;

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly calls: ProcessCalls;
  /** Settles when the process is prepared. */
  readonly ready: Promise<void>;
}

/** Runs the process of a contained plugin: starts it when it is needed, ends one that exceeds its limits, and gives up on one that ends again and again. */
export class PluginProcess {
  private running: Running | undefined;
  private readonly ends: number[] = [];
  private lastUse = 0;
  private busy = 0;
  /** Size of the process in bytes; 0 while it does not run. */
  bytes = 0;

  constructor(private readonly deps: PluginProcessDeps) {}

  /** Calls a function of the process within a time; undefined waits as long as it lives. Throws `unavailable` if it ends meanwhile or does not start. */
  async call(run: (calls: ProcessCalls) => Promise<PlainReply>, timeoutMs: number | undefined): Promise<PlainReply> {
    const running = this.running ?? withoutContext(() => this.start());
    this.busy += 1;
    try {
      await running.ready;
      return await within(timeoutMs, run(running.calls));
    } finally {
      this.busy -= 1;
      this.lastUse = performance.now();
    }
  }

  /** Sends something that needs no answer to the process, if it runs. */
  notify(send: (calls: ProcessCalls) => unknown): void {
    if (this.running) void Promise.resolve(send(this.running.calls)).catch(() => undefined);
  }

  /** Ends the process because it has exceeded a limit; the next call starts it again. */
  exceeded(reason: string): void {
    if (this.running) this.end(this.running.child, reason);
  }

  /** Ends the process. */
  stop(): void {
    this.running?.child.kill('SIGTERM');
  }

  private start(): Running {
    const now = performance.now();
    while (this.ends.length > 0 && now - (this.ends[0] as number) > endsWithinMs) this.ends.shift();
    if (this.ends.length >= processLimits.ends)
      throw unavailable(`The process of plugin "${this.deps.id}" has ended ${this.ends.length} times and is not started again.`);
    const child = spawn(process.execPath, processArguments(this.deps.processModule), { stdio: 'pipe', env: {}, windowsHide: true });
    const pipe = messagePipe(child.stdout, child.stdin, (reason) => this.end(child, reason));
    const calls: ProcessCalls = createBirpc<PluginFunctions, ServerFunctions>(this.deps.functions, {
      ...pipe,
      timeout: -1,
      // The process names the function: only those of the server are called, not what their object inherits.
      resolver: (name, found) => (Object.hasOwn(this.deps.functions, name) ? found : undefined),
    });
    const output = collected(child);
    const died = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(unavailable(error.message)));
      child.once('close', (code, signal) => reject(unavailable(`The process ended with ${signal ?? `code ${code}`}. ${output()}`.trimEnd())));
    });
    died.catch(() => this.ended(child, calls, output()));
    const ready = within(processLimits.startMs, Promise.race([this.prepare(child, calls), died])).catch((error) => {
      child.kill('SIGKILL');
      throw error;
    });
    ready.catch(() => undefined);
    this.running = { child, calls, ready };
    void ready.then(() => this.watch(child, calls)).catch(() => undefined);
    return this.running;
  }

  /** Loads the plugin once the code of the product has started. */
  private async prepare(child: ChildProcessWithoutNullStreams, calls: ProcessCalls): Promise<void> {
    await calls.ping();
    // Work of the server comes before that of the plugin where both want the same core.
    setPriority(child.pid as number, constants.priority.PRIORITY_BELOW_NORMAL);
    await this.deps.prepare(calls);
  }

  /** Ends a process that gives no sign of life or is too large, and one that nothing needs. */
  private watch(child: ChildProcessWithoutNullStreams, calls: ProcessCalls): void {
    let heard = performance.now();
    let isAsking = false;
    const timer = setInterval(() => {
      if (child.exitCode !== null || child.signalCode !== null) return clearInterval(timer);
      const now = performance.now();
      this.bytes = residentBytes(child.pid) ?? this.bytes;
      if (this.bytes > processLimits.processBytes) this.end(child, `used more than ${processLimits.processBytes / 2 ** 20} MB`);
      else if (now - heard > processLimits.silenceMs) this.end(child, `did not answer for ${processLimits.silenceMs / 1000} s`);
      else if (this.busy === 0 && now - this.lastUse > processLimits.idleMs) child.kill('SIGTERM');
      if (isAsking) return;
      isAsking = true;
      calls.ping().then(
        (bytes) => {
          [heard, isAsking] = [performance.now(), false];
          if (residentBytes(child.pid) === undefined) this.bytes = Number(bytes);
        },
        () => undefined,
      );
    }, watchMs);
    timer.unref();
  }

  private end(child: ChildProcessWithoutNullStreams, reason: string): void {
    if (child.exitCode !== null || child.signalCode !== null || child.killed) return;
    this.deps.log.error({ plugin: this.deps.id }, `the process of plugin "${this.deps.id}" was ended, because it ${reason}`);
    child.kill('SIGKILL');
  }

  private ended(child: ChildProcessWithoutNullStreams, calls: ProcessCalls, output: string): void {
    if (this.running?.child === child) this.running = undefined;
    this.bytes = 0;
    calls.$close(unavailable(`The process of plugin "${this.deps.id}" has ended.`));
    if (child.signalCode === 'SIGTERM') return;
    this.ends.push(performance.now());
    this.deps.log.warn({ plugin: this.deps.id, output }, `the process of plugin "${this.deps.id}" has ended (${child.signalCode ?? child.exitCode})`);
  }
}

/** Arguments of Node.js: no files but the code of the product, no processes, no add-ons, no code from strings. The one thread is for `endWithServer`. */
export function processArguments(processModule: string, program = serveProgram(processModule)): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const heap = processLimits.heapBytes / 2 ** 20;
  return [
    permission,
    ...readableFiles(processModule).map((path) => `--allow-fs-read=${path}`),
    ...[
      '--allow-worker',
      '--experimental-vm-modules',
      '--disallow-code-generation-from-strings',
      '--no-warnings',
      `--max-old-space-size=${heap}`,
      '--max-semi-space-size=8',
      '--single-threaded-gc',
    ],
    ...['--input-type=module', '--eval', program],
  ];
}

/** Program of the process. */
const serveProgram = (processModule: string) => `import(${JSON.stringify(processModule)}).then((server) => server.servePlugin())`;

/** Lists the folder of the server's module, and the packages that it can import. */
function readableFiles(processModule: string): string[] {
  const folder = dirname(fileURLToPath(processModule));
  const paths = [join(folder, '*')];
  for (let above = folder; ; above = dirname(above)) {
    paths.push(join(above, 'package.json'));
    if (existsSync(join(above, 'node_modules'))) paths.push(join(above, 'node_modules', '*'));
    if (above === dirname(above)) return paths;
  }
}

/** Reads the size of a process where the system tells it in a file, as Linux does. */
function residentBytes(pid: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return undefined;
  }
}

/** Collects the beginning of what a process writes for people. */
function collected({ stderr }: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  stderr.on('data', (chunk: Buffer) => {
    if (text.length < maxOutput) text += chunk.toString().slice(0, maxOutput - text.length);
  });
  return () => text;
}

function within<Result>(timeoutMs: number | undefined, work: Promise<Result>): Promise<Result> {
  if (timeoutMs === undefined) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable(`The plugin did not answer within ${timeoutMs / 1000} s.`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Error of a call that a contained plugin cannot answer now. */
export const unavailable = (reason: string) => new ApiError(problems.unavailable, {}, { cause: new Error(reason) });

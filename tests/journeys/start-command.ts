import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Folder of the project. */
  readonly folder?: string;
  /** Program and arguments; defaults to `npm start` without npm. */
  readonly command?: readonly [string, ...string[]];
}

/** Runs `npm start` in its own process group, so that Ctrl-C reaches all its processes. */
export class StartCommand {
  output = '';
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string | null>;
  private readonly child: ChildProcess;

  constructor({ environment = {}, args = [], folder = root, command = [process.execPath, 'scripts/run.mjs', 'start'] }: StartOptions = {}) {
    const [program, ...first] = command;
    const { PATH, HOME, USERPROFILE, SystemRoot } = process.env;
    this.child = spawn(program, [...first, ...args], {
      cwd: folder,
      detached: process.platform !== 'win32',
      env: { PATH, HOME, USERPROFILE, SystemRoot, HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve(code ?? signal)));
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Sends the signal of Ctrl-C in a terminal. */
  interrupt(): void {
    if (process.platform === 'win32') this.child.kill('SIGINT');
    else if (this.child.pid !== undefined && this.child.exitCode === null) process.kill(-this.child.pid, 'SIGINT');
  }
}

const running = new Set<StartCommand>();

/** Ends the processes that a failed test has left running. */
export async function interruptAll(): Promise<void> {
  const left = [...running];
  for (const start of left) start.interrupt();
  await Promise.all(left.map(({ ended }) => ended));
}

/** Runs a start that ends by itself. */
export async function endedStart(options: StartOptions): Promise<{ status: number | string | null; output: string }> {
  const start = new StartCommand(options);
  const status = await start.ended;
  return { status, output: start.output.trim() };
}

/** Starts a server that implements enough of PostgreSQL's protocol to refuse a sign-in. */
export async function refusingPostgres(code: string): Promise<{ port: number; server: Server }> {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mrefused\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])));
  });
  return { server, port: await listening(server) };
}

/** Listens on a free port of this machine. */
export function listening(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

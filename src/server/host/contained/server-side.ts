import type { Parameter } from '#shared/parameters';
import { queryRows } from '../../data/database/rows.ts';
import { linesDropped, type SystemLogEntry } from '../../platform/audit/system-log.ts';
import type { JobRun } from '../../platform/jobs/processors.ts';
import type { PackagePorts } from '../../platform/packages/package-file.ts';
import type { ServerContext } from '../plugin-host/plugin.ts';
import { Frames } from './frames.ts';
import { GrantedPorts } from './granted-ports.ts';
import type { SentErrors } from './plain-errors.ts';
import { sqlOf } from './plain-sql.ts';
import { processLimits } from './plugin-process.ts';
import { type PlainSql, repositoryMethods, type ServerFunctions } from './protocol.ts';
import { maxRows, type StatementGuard } from './statement-guard.ts';

/** A repository whose methods are called by name. */
export type NamedRepository = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/** Position of the condition among the arguments of the methods that take one. */
const conditionAt: Readonly<Record<string, number>> = { page: 1, list: 0, count: 0, update: 0, transition: 1 };

/** Parts of the server that a contained plugin may use, from its setup on. */
interface Served {
  readonly context: ServerContext;
  readonly repositories: readonly NamedRepository[];
  /** Parameters that the plugin has declared, by key. */
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** The server as the process of a contained plugin sees it. Whatever the process sends is checked here. */
export class ServerSide {
  private served: Served | undefined;
  private openFrames: Frames | undefined;
  private readonly runs = new Map<number, JobRun>();
  private lastRun = 0;
  private logWindow = { start: 0, lines: 0 };
  readonly functions: ServerFunctions;

  constructor(
    private readonly id: string,
    private readonly guard: StatementGuard,
    errors: SentErrors,
    ports: PackagePorts,
  ) {
    const granted = new GrantedPorts(id, ports, () => this.context);
    this.functions = {
      statement: (frame, text, parameters, shape) => errors.reply(() => this.statement(frame, { text: String(text), parameters }, shape)),
      repository: (frame, repository, method, given) => errors.reply(() => this.callRepository(frame, repository, String(method), given)),
      begin: (frame, kind, tenantId, run) => errors.reply(() => this.frames.begin(frame, { kind, tenantId, inJob: this.writeOf(run, tenantId) })),
      end: (frame, commits) => errors.reply(() => this.frames.end(frame, commits === true)),
      lock: (frame, name) => errors.reply(() => this.frames.run(frame, () => this.context.db.lock(`${id}:${String(name)}`))),
      expectCommit: (frame) => errors.reply(() => this.frames.inContext(frame, () => this.context.db.afterCommit(() => this.onCommit(frame)))),
      parameter: (frame, key, tenantId) => errors.reply(() => this.parameter(frame, String(key), tenantId)),
      emit: (frame, event, payload) => errors.reply(() => this.emit(frame, String(event), payload)),
      log: (entry) => this.log(entry),
      jobLog: (run, level, text) => this.runs.get(run)?.log(level, String(text)),
      jobSecret: (run) => errors.reply(() => this.runs.get(run)?.readSecret()),
      deliver: (frame, delivery) => errors.reply(() => this.frames.run(frame, () => granted.deliver(delivery, this.frames.tenantOf(frame)))),
      sendHttp: (url, request) => errors.reply(() => granted.sendHttp(String(url), request)),
    };
  }

  /** Runs once the transaction of a frame has committed; set by the side that speaks to the process. */
  onCommit: (frame: number) => void = () => undefined;

  /** Ends the process, one of whose transactions takes too long; set by the side that speaks to it. */
  onTimeout: () => void = () => undefined;

  /** Makes the services of a plugin that is being set up available to its process. */
  serve(served: Served): void {
    this.served = served;
    this.openFrames = new Frames(served.context.db, () => this.onTimeout(), processLimits.transactionTimeoutMs);
  }

  get frames(): Frames {
    if (!this.openFrames) throw new Error('The plugin has not started yet.');
    return this.openFrames;
  }

  get context(): ServerContext {
    return this.parts.context;
  }

  /** Lets the process use a run of a job while the work runs. */
  async withRun<Result>(run: JobRun, work: (number: number) => Promise<Result>): Promise<Result> {
    this.lastRun += 1;
    const number = this.lastRun;
    this.runs.set(number, run);
    try {
      return await work(number);
    } finally {
      this.runs.delete(number);
    }
  }

  private get parts(): Served {
    if (!this.served) throw new Error('The plugin has not started yet.');
    return this.served;
  }

  private async statement(frame: number, statement: PlainSql, shape: unknown): Promise<unknown[]> {
    const text = await this.guard.allowedText(statement.text);
    const { db } = this.context;
    const run = () => (shape === 'arrays' ? db.rows(text, [...statement.parameters]) : queryRows(db, sqlOf({ ...statement, text })));
    const rows = await this.frames.run<unknown[]>(frame, run).catch((error: Error) => {
      // Drizzle wraps the error of the database, whose code the plugin may look at.
      throw error.cause instanceof Error ? error.cause : error;
    });
    if (rows.length > maxRows) throw new Error(`A statement of a contained plugin may answer ${maxRows} rows at most.`);
    return rows;
  }

  private async callRepository(frame: number, number: number, method: string, given: readonly unknown[]): Promise<unknown> {
    const repository = this.parts.repositories[number];
    if (!repository || !(repositoryMethods as readonly string[]).includes(method) || !(method in repository))
      throw new Error('The repository has no such method.');
    const restored = await Promise.all([...given].map((one, index) => this.restored(one, index === conditionAt[method])));
    return this.frames.run(frame, async () => (method === 'list' ? this.shortList(repository, restored) : repository[method]?.(...restored)));
  }

  /** Reads a list that is not too long for the memory of the server. */
  private async shortList(repository: NamedRepository, [where]: readonly unknown[]): Promise<unknown> {
    if (Number(await repository.count?.(where)) > maxRows)
      throw new Error(`A list of a contained plugin may have ${maxRows} rows at most. Read it page by page.`);
    return repository.list?.(where);
  }

  private async restored(given: unknown, isCondition: boolean): Promise<unknown> {
    const { sql } = (given ?? {}) as { readonly sql?: PlainSql };
    if (typeof sql !== 'object') return given;
    if (!isCondition) throw new Error('A contained plugin may pass one condition, and no other SQL.');
    return this.condition(sql);
  }

  /** Reads a condition of the plugin; throws for one that reaches beyond its tables. */
  async condition({ text, parameters }: PlainSql): Promise<ReturnType<typeof sqlOf>> {
    await this.guard.assertCondition(text);
    return sqlOf({ text: `(${text}\n)`, parameters });
  }

  private async parameter(frame: number, key: string, tenantId: string | undefined): Promise<unknown> {
    const declared = this.parts.parameters.get(key);
    if (!declared) throw new Error(`The plugin declares no parameter ${key}.`);
    const { parameters } = this.context;
    const limit = this.frames.tenantOf(frame);
    const tenant = limit ?? tenantId;
    return this.frames.inContext(frame, () => {
      if (declared.type === 'whole') return parameters.integer(declared, tenant);
      return declared.type === 'flag' ? parameters.flag(declared, tenant) : parameters.text(declared, tenant);
    });
  }

  /** Writes a line to the system log; a plugin that writes more than a hundred within ten seconds loses the others. */
  private log({ level, event, data }: SystemLogEntry): void {
    const now = performance.now();
    if (now - this.logWindow.start > 10_000) this.logWindow = { start: now, lines: 0 };
    this.logWindow.lines += 1;
    if (this.logWindow.lines > 100) return;
    const isLast = this.logWindow.lines === 100;
    this.context.systemLog.log(isLast ? { level: 'warn', event: linesDropped } : { level, event: String(event).slice(0, 64), data });
  }

  private emit(frame: number, name: string, payload: unknown): void {
    if (!name.startsWith(`${this.id}:`)) throw new Error(`A contained plugin may only emit events of its own, such as ${this.id}:done.`);
    this.frames.inContext(frame, () => this.context.emit({ name }, payload));
  }

  /** Returns the transaction of a run, which a request of another tenant cannot enter. */
  private writeOf(run: number | undefined, tenantId: string | undefined): ((work: () => Promise<void>) => Promise<void>) | undefined {
    const found = run === undefined ? undefined : this.runs.get(run);
    return found?.tenantId === tenantId ? found && ((work) => found.write(work)) : undefined;
  }
}

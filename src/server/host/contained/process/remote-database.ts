import { drizzle } from 'drizzle-orm/pg-proxy';
import { ContextVariable } from '../../../base/context-variable.ts';
import { actingAs } from '../../../data/context/actor.ts';
import { Database, type Scope, type Sql } from '../../../data/database/database.ts';
import type { RowShape } from '../../../data/database/session.ts';
import type { PlainReply } from '../plain-errors.ts';
import type { FrameContext, ServerFunctions, TransactionKind } from '../protocol.ts';

/** Connection of the process to the server. */
export interface ServerCalls {
  readonly server: { readonly [Name in keyof ServerFunctions]: ServerFunctions[Name] };
  valueOf(reply: PlainReply): unknown;
}

interface RemoteFrame extends Pick<FrameContext, 'frame' | 'scope'> {
  /** Numbers of the frame and of those inside it, whose hooks go with it if it is rolled back. */
  readonly numbers: number[];
}

/** The database as a contained plugin sees it: each statement runs on the server, in the frame that the current work belongs to. */
export class RemoteDatabase extends Database {
  private readonly frames = new ContextVariable<RemoteFrame>();
  private readonly handle: Sql = drizzle(async (text, parameters, method) => ({
    rows: await this.statement(text, parameters, method === 'all' ? 'arrays' : 'objects'),
  }));
  private readonly hooks = new Map<number, (() => void)[]>();

  constructor(
    override readonly engine: Database['engine'],
    private readonly calls: ServerCalls,
  ) {
    super();
  }

  /** Runs work in a frame of the server. */
  inFrame(context: FrameContext, work: () => unknown): Promise<unknown> {
    const { frame, scope, actor } = context;
    return this.withFrame({ frame, scope }, async () => (actor ? actingAs(actor, async () => work()) : work()));
  }

  /** Returns the frame of the current work; throws outside of any, as while the plugin is set up. */
  get frame(): number {
    return this.current().frame;
  }

  override get sql(): Sql {
    this.current();
    return this.handle;
  }

  override rows(text: string, parameters: unknown[]): Promise<unknown[][]> {
    return this.statement(text, parameters, 'arrays') as Promise<unknown[][]>;
  }

  override get scope(): Scope | undefined {
    const { scope } = this.current();
    if (scope === null) throw new Error('A statement must run inside db.read, db.write or db.asPlatform.');
    return scope.tenantId === undefined ? undefined : { tenantId: scope.tenantId };
  }

  override get tenantId(): string | undefined {
    return this.frames.get()?.scope?.tenantId;
  }

  override read<Result>({ tenantId }: Scope, work: () => Promise<Result>): Promise<Result> {
    return this.transaction('read', tenantId, work);
  }

  override write<Result>({ tenantId }: Scope, work: () => Promise<Result>): Promise<Result> {
    return this.transaction('write', tenantId, work);
  }

  override asPlatform<Result>(_reason: string, work: () => Promise<Result>): Promise<Result> {
    return this.transaction('platform', undefined, work);
  }

  /** Runs one transaction on the server; `run` names the run of a job that it belongs to. */
  async transaction<Result>(kind: TransactionKind, tenantId: string | undefined, work: () => Promise<Result>, run?: number): Promise<Result> {
    const { server } = this.calls;
    const frame = this.calls.valueOf(await server.begin(this.frame, kind, tenantId, run)) as number;
    let result: Result;
    try {
      // A statement of Drizzle runs once it is awaited, which must happen inside the frame.
      result = await this.withFrame({ frame, scope: { tenantId } }, async () => work());
    } catch (error) {
      await server.end(frame, false).catch(() => undefined);
      throw error;
    }
    this.calls.valueOf(await server.end(frame, true));
    return result;
  }

  override async lock(name: string): Promise<void> {
    this.calls.valueOf(await this.calls.server.lock(this.frame, name));
  }

  override afterCommit(work: () => void): void {
    const { frame } = this;
    const hooks = this.hooks.get(frame);
    if (hooks) hooks.push(work);
    else {
      this.hooks.set(frame, [work]);
      void this.calls.server.expectCommit(frame).catch(() => undefined);
    }
  }

  /** Runs what was to be done after the transaction of a frame. */
  committed(frame: number): void {
    const hooks = this.hooks.get(frame) ?? [];
    this.hooks.delete(frame);
    for (const work of hooks) work();
  }

  override readReplica<Result>(scope: Scope, _position: string | undefined, work: () => Promise<Result>): Promise<Result> {
    return this.read(scope, work);
  }

  override async position(): Promise<undefined> {}

  override announceChange(): void {}

  override readonly replicaLagSeconds = undefined;

  override connections(): undefined {}

  override async check(): Promise<void> {}

  override async close(): Promise<void> {}

  override snapshot(): Promise<never> {
    return Promise.reject(notContained('snapshot'));
  }

  override isBackupRunning(): Promise<never> {
    return Promise.reject(notContained('isBackupRunning'));
  }

  override script(): Promise<never> {
    return Promise.reject(notContained('script'));
  }

  override runConcurrently(): Promise<never> {
    return Promise.reject(notContained('runConcurrently'));
  }

  override signal(): Promise<never> {
    return Promise.reject(notContained('signal'));
  }

  override onSignal(): never {
    throw notContained('onSignal');
  }

  /** Runs work in a frame; hooks that it has left behind are dropped if it fails, since its transaction is rolled back. */
  private async withFrame<Result>(context: Omit<RemoteFrame, 'numbers'>, work: () => Promise<Result>): Promise<Result> {
    const outer = this.frames.get();
    const numbers = [context.frame];
    try {
      const result = await this.frames.run({ ...context, numbers }, work);
      outer?.numbers.push(...numbers.filter((one) => this.hooks.has(one)));
      return result;
    } catch (error) {
      for (const one of numbers) this.hooks.delete(one);
      throw error;
    }
  }

  private async statement(text: string, parameters: readonly unknown[], shape: RowShape): Promise<unknown[]> {
    return this.calls.valueOf(await this.calls.server.statement(this.frame, text, parameters, shape)) as unknown[];
  }

  private current(): RemoteFrame {
    const current = this.frames.get();
    if (!current) throw new Error('The database can be used while a request, a task, an event or a run is processed, not before.');
    return current;
  }
}

const notContained = (name: string) => new Error(`A contained plugin may not use db.${name}.`);

import { currentActor } from '../../data/context/actor.ts';
import { Semaphore } from '../../data/database/semaphore.ts';
import type { PlainReply, SentErrors } from './plain-errors.ts';
import { type PluginProcess, type ProcessCalls, processLimits, unavailable } from './plugin-process.ts';
import type { FrameContext } from './protocol.ts';
import type { ServerSide } from './server-side.ts';

/** A function of the plugin, called in a context of the server. */
type ContainedWork = (plugin: ProcessCalls, context: FrameContext) => Promise<PlainReply>;

/** Calls functions of a contained plugin, each in a context of the server in which it may run statements. */
export class ContainedCalls {
  /** Requests of the plugin that may hold a connection at a time, so that a slow plugin leaves others theirs. */
  private readonly slots = new Semaphore(3, 5000);

  constructor(
    readonly process: PluginProcess,
    private readonly server: ServerSide,
    private readonly errors: SentErrors,
  ) {
    server.onCommit = (frame) => process.notify((plugin) => plugin.committed(frame));
    server.onTimeout = () => process.exceeded('did not finish a transaction in time');
  }

  /** Calls a function inside the transaction of the current work. */
  inTransaction(work: ContainedWork): Promise<unknown> {
    const { tenantId } = this.server.context.db;
    const overdue = setTimeout(() => this.process.exceeded('did not finish a transaction in time'), processLimits.transactionTimeoutMs);
    return this.call(work, { tenantId, isTransaction: true, scope: { tenantId } }, processLimits.callMs).finally(() => clearTimeout(overdue));
  }

  /** Calls a function inside the current work, which reads only. */
  inRead(work: ContainedWork): Promise<unknown> {
    const { tenantId } = this.server.context.db;
    return this.call(work, { tenantId, isTransaction: false, scope: { tenantId } }, processLimits.callMs);
  }

  /** Calls a function outside of any transaction. With a tenant, it cannot leave that; a long one ends only with its process. */
  outside(work: ContainedWork, { tenantId, isLong = false }: { readonly tenantId?: string; readonly isLong?: boolean } = {}): Promise<unknown> {
    return this.call(work, { tenantId, isTransaction: false, scope: null }, isLong ? undefined : processLimits.callMs);
  }

  /** Waits until the plugin may hold one more connection; the returned function, or the time limit of a call, ends that. */
  async takeSlot(): Promise<() => void> {
    await this.slots.acquire().catch((error: Error) => {
      throw unavailable(error.message);
    });
    let isTaken = true;
    const release = () => {
      if (isTaken) this.slots.release();
      isTaken = false;
    };
    setTimeout(release, processLimits.callMs).unref();
    return release;
  }

  private async call(
    work: ContainedWork,
    { tenantId, isTransaction, scope }: { readonly tenantId: string | undefined; readonly isTransaction: boolean; readonly scope: FrameContext['scope'] },
    timeoutMs: number | undefined,
  ): Promise<unknown> {
    const { frames } = this.server;
    return frames.enter({ tenantId, isTransaction }, async (frame) => {
      const context: FrameContext = { frame, scope, actor: currentActor() };
      return this.errors.valueOf(await this.process.call((plugin) => work(plugin, context), timeoutMs));
    });
  }
}

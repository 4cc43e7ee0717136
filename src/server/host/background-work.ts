import { IntervalTask } from '../base/interval-task.ts';
import type { Log } from '../base/log.ts';
import { asPlugin } from '../platform/audit/stray-errors.ts';

type Work = () => void | Promise<void>;

/** Work that plugins do beside requests: once the server is ready, at intervals, and when it stops. */
export class BackgroundWork {
  private readonly readyWork: { readonly plugin: string; readonly work: Work }[] = [];
  private readonly rounds: { readonly plugin: string; readonly round: IntervalTask }[] = [];
  private readonly stops: Work[] = [];

  constructor(
    private readonly log: Log,
    /** Factor by which intervals are shorter than plugins declare. */
    private readonly pace: number,
  ) {}

  onReady(plugin: string, work: Work): void {
    this.readyWork.push({ plugin, work });
  }

  every(plugin: string, seconds: number, work: () => Promise<void>): void {
    const failed = (error: unknown) => this.log.error({ plugin, err: error }, `plugin "${plugin}" failed in its task that runs every ${seconds} s`);
    this.rounds.push({ plugin, round: new IntervalTask(seconds / this.pace, work, failed) });
  }

  onStop(work: Work): void {
    this.stops.push(work);
  }

  /** Returns the number of a plugin's interval tasks. */
  roundsOf(plugin: string): number {
    return this.rounds.filter((one) => one.plugin === plugin).length;
  }

  /** Runs the work that running plugins do once every call is served. */
  async ready(isRunning: (plugin: string) => boolean): Promise<void> {
    for (const { plugin, work } of this.readyWork.filter((one) => isRunning(one.plugin)))
      await asPlugin(plugin, async () => work()).catch((error) =>
        this.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server was ready`),
      );
  }

  /** Stops all interval tasks and resolves when none runs any more. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.stops.map(async (stop) => stop()));
    for (const { round } of this.rounds) await round.stop();
  }
}

import { IntervalTask } from '../base/interval-task.ts';
import type { Log } from '../base/log.ts';
import { asPlugin } from '../platform/audit/stray-errors.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { DeclaredTask, ServerContributions } from './contributions.ts';

/** Work that plugins do beside requests: once the server is ready, at intervals, and when it stops. */
export class BackgroundWork {
  private readonly started: { readonly plugin: string; readonly work: Pick<ServerContributions, 'ready' | 'stop'> }[] = [];
  private readonly tasks: { readonly plugin: string; readonly task: IntervalTask }[] = [];

  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
    /** Factor by which intervals are shorter than plugins declare. */
    private readonly timeScale: number,
  ) {}

  add(plugin: string, { tasks = [], ...work }: Pick<ServerContributions, 'ready' | 'stop' | 'tasks'>): void {
    this.started.push({ plugin, work });
    for (const task of tasks) this.tasks.push({ plugin, task: this.taskOf(plugin, task) });
  }

  /** Returns the number of a plugin's interval tasks. */
  countOf(plugin: string): number {
    return this.tasks.filter((one) => one.plugin === plugin).length;
  }

  /** Runs the work that plugins do once every call is served. */
  async ready(): Promise<void> {
    for (const { plugin, work } of this.started)
      await asPlugin(plugin, async () => work.ready?.()).catch((error) =>
        this.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server was ready`),
      );
  }

  /** Stops the work of plugins and resolves when no interval task runs any more. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.started.map(async ({ work }) => work.stop?.()));
    await Promise.all(this.tasks.map(({ task }) => task.stop()));
  }

  private taskOf(plugin: string, { everySeconds, run }: DeclaredTask): IntervalTask {
    const failed = (error: unknown) => {
      this.metrics.failed(plugin, 'task');
      this.log.error({ plugin, err: error }, `plugin "${plugin}" failed in its task that runs every ${everySeconds} s`);
    };
    return new IntervalTask(everySeconds / this.timeScale, run, failed);
  }
}

import { IntervalTask } from '../base/interval-task.ts';
import { endSpanAfter, type LogFields, runWork } from '../base/work.ts';
import { asPlugin } from '../platform/audit/stray-errors.ts';
import type { DeclaredTask, ServerContributions } from './contributions.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';

/** Work that plugins do outside requests: once the server accepts requests, at intervals, and when it stops. */
export class BackgroundWork {
  private readonly lifecycles: { readonly plugin: string; readonly work: Pick<ServerContributions, 'ready' | 'stop'> }[] = [];
  private readonly tasks: { readonly plugin: string; readonly task: IntervalTask }[] = [];

  constructor(private readonly deps: Pick<ServerHostDeps, 'log' | 'metrics' | 'timeScale' | 'traces'>) {}

  add(plugin: string, { tasks = [], ...work }: Pick<ServerContributions, 'ready' | 'stop' | 'tasks'>): void {
    this.lifecycles.push({ plugin, work });
    for (const task of tasks) this.tasks.push({ plugin, task: this.createTask(plugin, task) });
  }

  /** Returns the number of a plugin's interval tasks. */
  countOf(plugin: string): number {
    return this.tasks.filter((one) => one.plugin === plugin).length;
  }

  /** Runs the work that plugins do once the server accepts requests. */
  async ready(): Promise<void> {
    for (const { plugin, work } of this.lifecycles)
      await asPlugin(plugin, async () => work.ready?.()).catch((error) =>
        this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server was ready`),
      );
  }

  /** Runs work of a plugin in a trace of its own, with these fields in its log lines. */
  run<Result>(plugin: string, name: string, fields: LogFields, run: () => Promise<Result>): Promise<Result> {
    const attributes = Object.fromEntries(Object.entries(fields).map(([field, value]) => [`marquee.${field}`, value]));
    const span = this.deps.traces?.begin(name, 'consumer', { 'marquee.plugin': plugin, ...attributes });
    return runWork({ fields: { plugin, ...fields }, span }, () => endSpanAfter(span, run));
  }

  /** Stops the work of plugins and resolves when no interval task runs any more. */
  async stop(): Promise<void> {
    // No interval begins another run from here on. The running tasks are awaited last, because some of them end only when `stop` of their plugin has run.
    const ended = this.tasks.map(({ task }) => task.stop());
    const stopOne = ({ plugin, work }: (typeof this.lifecycles)[number]) =>
      asPlugin(plugin, async () => work.stop?.()).catch((error) =>
        this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server stopped`),
      );
    await Promise.all(this.lifecycles.map(stopOne));
    await Promise.all(ended);
  }

  private createTask(plugin: string, { everySeconds, run }: DeclaredTask): IntervalTask {
    const onFailure = (error: unknown) => {
      this.deps.metrics.failed(plugin, 'task');
      this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed in its task that runs every ${everySeconds} s`);
    };
    // Most runs of a task find nothing to do, so tasks are not traced. What they find is traced by `run`.
    const work = (signal: AbortSignal) => runWork({ fields: { plugin }, span: undefined }, () => run(signal));
    return new IntervalTask(everySeconds / this.deps.timeScale, work, onFailure);
  }
}

import { ByPlugin } from '../../base/by-plugin.ts';
import { IntervalTask } from '../../base/interval-task.ts';
import { endSpanAfter, type LogFields, runWork } from '../../base/work.ts';
import { asPlugin } from '../../platform/audit/stray-errors.ts';
import type { DeclaredTask, ServerContributions } from './contributions.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';

type PluginWork = { readonly plugin: string } & Pick<ServerContributions, 'ready' | 'stop'>;

/** Work that plugins do outside requests: once the server accepts requests, at intervals, and when it stops. */
export class BackgroundWork {
  private readonly lifecycles = new ByPlugin<PluginWork>();
  private readonly tasks = new ByPlugin<IntervalTask>();

  constructor(private readonly deps: Pick<ServerHostDeps, 'log' | 'metrics' | 'timeScale' | 'traces'>) {}

  add(plugin: string, { tasks = [], ...work }: Pick<ServerContributions, 'ready' | 'stop' | 'tasks'>): void {
    this.lifecycles.add(plugin, [{ plugin, ...work }]);
    this.tasks.add(
      plugin,
      tasks.map((task) => this.createTask(plugin, task)),
    );
  }

  /** Returns the number of a plugin's interval tasks. */
  countOf(plugin: string): number {
    return this.tasks.of(plugin).length;
  }

  /** Runs the work that plugins, or one of them, do once the server accepts requests. */
  async ready(id?: string): Promise<void> {
    for (const { plugin, ready } of id === undefined ? this.lifecycles.all() : this.lifecycles.of(id))
      await asPlugin(plugin, async () => ready?.()).catch((error) =>
        this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server was ready`),
      );
  }

  /** Runs work of a plugin in a trace of its own, with these fields in its log lines. */
  run<Result>(plugin: string, name: string, fields: LogFields, run: () => Promise<Result>): Promise<Result> {
    const attributes = Object.fromEntries(Object.entries(fields).map(([field, value]) => [`marquee.${field}`, value]));
    const span = this.deps.traces?.begin(name, 'consumer', { 'marquee.plugin': plugin, ...attributes });
    return runWork({ fields: { plugin, ...fields }, span }, () => endSpanAfter(span, run));
  }

  /** Stops the work of all plugins, or of one, and resolves when no interval task of theirs runs any more. */
  async stop(id?: string): Promise<void> {
    const tasks = id === undefined ? this.tasks.all() : this.tasks.of(id);
    const lifecycles = id === undefined ? this.lifecycles.all() : this.lifecycles.of(id);
    if (id !== undefined) for (const registry of [this.tasks, this.lifecycles]) registry.unregister(id);
    // No interval begins another run from here on. The running tasks are awaited last, because some of them end only when `stop` of their plugin has run.
    const ended = tasks.map((task) => task.stop());
    const stopOne = ({ plugin, stop }: PluginWork) =>
      asPlugin(plugin, async () => stop?.()).catch((error) => this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed when the server stopped`));
    await Promise.all(lifecycles.map(stopOne));
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

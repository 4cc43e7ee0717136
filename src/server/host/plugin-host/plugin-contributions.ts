import { ByPlugin } from '../../base/by-plugin.ts';
import { Filters } from '../../base/filters.ts';
import { SharedServices } from '../../base/services.ts';
import { createdObjects } from '../../data/schema/created-objects.ts';
import { asPlugin } from '../../platform/audit/stray-errors.ts';
import { EntityExtensions } from '../../platform/extensions/entity-extensions.ts';
import { FigureSources } from '../../platform/figures/figures.ts';
import { requiredCodes } from '../../platform/http/authorize-call.ts';
import type { Route } from '../../platform/http/route.ts';
import { Processors } from '../../platform/jobs/processors.ts';
import type { GaugeSource } from '../../platform/metrics/metrics.ts';
import type { SearchSource } from '../../platform/search/search-sources.ts';
import { BackgroundWork } from './background-work.ts';
import type { ServerContributions } from './contributions.ts';
import type { InstalledPlugin, PluginFacts, ServerPlugin } from './plugin.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';
import type { PluginRoutes } from './plugin-routes.ts';
import { ServedScreens } from './served-screens.ts';

/** Contributions of the running plugins, in the registries of the host and of the kernel, so that one plugin can be removed from a running server. */
export class PluginContributions {
  readonly figures = new FigureSources();
  readonly background: BackgroundWork;
  readonly screens: ServedScreens;
  readonly filters = new Filters();
  readonly services = new SharedServices();
  readonly jobs: Processors;
  readonly extensions: EntityExtensions;
  private readonly searchSources = new ByPlugin<SearchSource>();
  private readonly channels = new ByPlugin<() => void>();
  private readonly entities = new ByPlugin<string>();
  /** Milliseconds that the last start of each running plugin took. */
  readonly startTimes = new Map<string, number>();

  constructor(private readonly deps: ServerHostDeps) {
    this.jobs = new Processors(deps.switches);
    this.background = new BackgroundWork(deps);
    this.screens = new ServedScreens({ log: deps.log, assertPluginEnabled: (...of) => deps.switches.assertPluginEnabled(...of) });
    this.extensions = new EntityExtensions(deps.db, (plugin, tenantId) => deps.switches.isOff(plugin, tenantId));
  }

  /** Returns the lists whose records are found by the search. */
  listSearchSources(): SearchSource[] {
    return [...this.screens.listSearchSources(), ...this.searchSources.all()];
  }

  /** Lists what a plugin contributes, for the description of the deployment. */
  factsOf({ plugin: { id }, migrations, process }: InstalledPlugin): Omit<PluginFacts, 'plugin' | 'skippedReason' | 'isCrashLooping'> {
    return {
      tables: createdObjects(Object.values(migrations)).tables,
      startMilliseconds: this.startTimes.get(id),
      calls: this.deps.metrics.callsOf(id),
      processBytes: process?.bytes,
      jobs: this.jobs.titlesOf(id),
      taskCount: this.background.countOf(id),
      filters: this.filters.namesOf(id),
      providedServices: this.services.providedBy(id),
      usedServices: this.services.usedBy(id),
      fields: this.extensions.namesOf(id),
      rules: this.extensions.rulesOf(id),
    };
  }

  /** Registers what must be in place before the plugin seeds and starts; `withdraw` removes it. */
  register(
    { id, extensions = [] }: ServerPlugin,
    routes: readonly Route[],
    { services = [], listeners = [], filters = [], signInMethods = [], readParameter, readDictionary, writeDictionaries, fileStores }: ServerContributions,
  ): void {
    const { bus, parameters, signInServices, dictionaryLabels, files } = this.deps;
    for (const extension of extensions) this.extensions.add(id, extension, routes);
    for (const { token, service } of services) this.services.provide(id, token, service);
    for (const { event, handle } of listeners) bus.on(id, event, this.whileEnabled(id, handle));
    for (const { filter, handle } of filters) this.filters.add(id, filter, this.whileEnabled(id, handle));
    for (const method of signInMethods) signInServices.methods.register(id, method);
    if (readParameter) parameters.registerReader(id, readParameter);
    if (readDictionary) dictionaryLabels.setStore({ readDictionary, ...(writeDictionaries ? { writeDictionaries } : {}) });
    if (fileStores) files.stores.setDirectory(fileStores);
  }

  /** Begins the work of a plugin that has started. */
  activate(
    id: string,
    { figures = [], gauges = [], health = [], processors = {}, smsChannels = [], tasks = [], searchSources = [], ...work }: ServerContributions,
  ): void {
    const { db, metrics, sms, switches } = this.deps;
    this.figures.register(id, figures);
    const readAll = (read: GaugeSource['read']) => db.asPlatform('reads metrics of all tenants', async () => read());
    metrics.addGauges(
      id,
      gauges.map((gauge) => ({ ...gauge, read: async () => (await this.whileEnabled(id, readAll)(gauge.read)) ?? [] })),
    );
    this.deps.health.register(
      id,
      health.map((source) => ({ ...source, read: async () => (await this.whileEnabled(id, source.read)()) ?? [] })),
    );
    this.searchSources.add(id, searchSources);
    for (const [name, processor] of Object.entries(processors)) this.jobs.register(name, processor);
    for (const channel of smsChannels) this.channels.add(id, [sms.register(channel, (tenantId) => switches.isOff(id, tenantId))]);
    this.background.add(id, { ...work, tasks: tasks.map((task) => ({ ...task, run: async (signal) => this.whileEnabled(id, task.run)(signal) })) });
  }

  /** Declares how rows of the plugin refer to other rows, and the pages that list them. */
  declareReferences(id: string, routes: PluginRoutes, { references = [] }: ServerContributions): void {
    const registry = this.deps.db.references;
    registry.declare(id, references);
    for (const { call } of routes.all())
      for (const code of requiredCodes(call.access)) if (call.filterable) registry.addListCode(id, call.filterable.name, code);
    for (const { screen } of routes.screens)
      registry.addPage(id, screen.crud.entity.name, { title: screen.title, menu: screen.crud.menu, list: screen.crud.list?.path });
  }

  /** Stops the background work of a plugin and removes everything that it has contributed. */
  async withdraw(id: string): Promise<void> {
    const { bus, db, health, metrics, parameters, signInServices } = this.deps;
    await this.background.stop(id);
    for (const removeChannel of this.channels.of(id)) removeChannel();
    const registries = [bus, parameters, signInServices.methods, metrics, health, this.filters, this.services, this.extensions, this.figures, this.jobs];
    for (const registry of [...registries, this.searchSources, this.screens, this.channels]) registry.unregister(id);
    db.references.unregister(id, new Set(this.entities.of(id)));
    for (const entity of this.entities.of(id)) db.entities.delete(entity);
    this.entities.unregister(id);
    this.startTimes.delete(id);
  }

  /** Runs the setup of a plugin and records the entities that it adds to the database. */
  setUp<Result>(id: string, setup: () => Result): Result {
    const { entities } = this.deps.db;
    const before = new Set(entities.keys());
    try {
      return setup();
    } finally {
      this.entities.add(
        id,
        [...entities.keys()].filter((name) => !before.has(name)),
      );
    }
  }

  /** Wraps work of a plugin so that it is skipped while the plugin is disabled in the whole deployment. */
  private whileEnabled<Arguments extends unknown[], Result>(plugin: string, work: (...arguments_: Arguments) => Result) {
    return (...arguments_: Arguments) => (this.deps.switches.isOff(plugin) ? undefined : asPlugin(plugin, () => work(...arguments_)));
  }
}

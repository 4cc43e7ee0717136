import { sql } from 'drizzle-orm';
import { dependencyIds } from '#shared/plugin-versions';
import type { LocalizedText } from '#shared/text';
import { Filters } from '../base/filters.ts';
import { type ServiceToken, SharedServices } from '../base/services.ts';
import { currentActor } from '../data/context/actor.ts';
import { queryRows } from '../data/database/rows.ts';
import { migrate } from '../data/schema/migrate.ts';
import { LogDestination } from '../platform/audit/log-sink.ts';
import { asPlugin } from '../platform/audit/stray-errors.ts';
import { Backups } from '../platform/backup/backups.ts';
import { AddedFields, EntityExtensions } from '../platform/extensions/entity-extensions.ts';
import { FigureSources } from '../platform/figures/figures.ts';
import { HealthSources } from '../platform/health/health-sources.ts';
import { Principals, requiredCodes } from '../platform/http/authorize-call.ts';
import { BootError, type Route } from '../platform/http/route.ts';
import { SignInFailures } from '../platform/identity/passwords/failures.ts';
import { Passwords } from '../platform/identity/passwords/passwords.ts';
import { Reauth } from '../platform/identity/passwords/reauth.ts';
import { SignInPort } from '../platform/identity/sign-in/sign-in-methods.ts';
import { signInPort } from '../platform/identity/start-auth.ts';
import { Inbox, ProvidedInbox } from '../platform/inbox/inbox.ts';
import { Mail, ProvidedMail } from '../platform/inbox/mail.ts';
import { Processors } from '../platform/jobs/processors.ts';
import type { GaugeSource } from '../platform/metrics/metrics.ts';
import { Explanations } from '../platform/permission/explanations.ts';
import type { Principal } from '../platform/principal/principal.ts';
import { DictionaryLabels } from '../platform/references/dictionary-labels.ts';
import { ReferenceReaders } from '../platform/references/reference-reader.ts';
import { RunningServers } from '../platform/replicas/running-servers.ts';
import type { SearchSource } from '../platform/search/search-sources.ts';
import { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import { BackgroundWork } from './background-work.ts';
import type { ServerContributions } from './contributions.ts';
import { Deployment, type InstalledPlugin, type PluginFacts, type ServerContext, type ServerPlugin } from './plugin.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';
import { crashLooping, orderPlugins, type SkippedPlugin, willBeRetried } from './plugin-order.ts';
import { PluginRoutes } from './plugin-routes.ts';
import { retriedTopic, runningDeployment } from './running-deployment.ts';
import { asPluginHandler, ServedScreens } from './served-screens.ts';

/** Runs the plugins of a deployment. A plugin that cannot run is left out with its dependents, each with a reason; the server starts regardless. */
export class PluginHost {
  readonly running: ServerPlugin[] = [];
  readonly skipped: SkippedPlugin[] = [];
  private installed: readonly ServerPlugin[] = [];
  /** Routes of the running plugins. */
  readonly routes: Route[] = [];
  private readonly figures = new FigureSources();
  private readonly searchSources: SearchSource[] = [];
  private readonly background: BackgroundWork;
  private readonly screens: ServedScreens;
  private readonly filters = new Filters();
  private readonly services = new SharedServices();
  /** Job processors of the running plugins. */
  readonly jobs: Processors;
  /** Services of the kernel that plugins get by their class. */
  private readonly kernelServices: ReadonlyMap<ServiceToken, unknown>;
  /** Fields and rules that plugins add to the entities of other plugins. */
  readonly extensions: EntityExtensions;

  constructor(private readonly deps: ServerHostDeps) {
    this.jobs = new Processors(deps.switches);
    this.background = new BackgroundWork(deps);
    this.screens = new ServedScreens({ log: deps.log, assertPluginEnabled: (...asked) => deps.switches.assertPluginEnabled(...asked) });
    this.extensions = new EntityExtensions(deps.db, (plugin, tenantId) => deps.switches.isOff(plugin, tenantId));
    this.kernelServices = new Map<ServiceToken, unknown>([
      [Deployment, runningDeployment(deps, this)],
      [PluginSwitches, deps.switches],
      [Backups, deps.backups],
      [HealthSources, deps.health],
      [RunningServers, deps.servers],
      [Passwords, deps.passwords],
      [Explanations, deps.explanations],
      [LogDestination, deps.logDestination],
      [Principals, deps.principals],
      [ReferenceReaders, deps.references],
      [DictionaryLabels, deps.dictionaryLabels],
      [FigureSources, this.figures],
      [Processors, this.jobs],
      [AddedFields, this.extensions],
      [SignInPort, signInPort(deps.signInServices)],
      [Reauth, new Reauth({ db: deps.db, passwords: deps.passwords, failures: new SignInFailures(deps.db, deps.parameters) })],
    ]);
    deps.db.validateRow = (...written) => this.extensions.validate(...written);
    deps.db.onSignal(retriedTopic, (id) => deps.starts.clear(id));
  }

  /** Orders plugins for migration and start. */
  plan(installed: readonly InstalledPlugin[]): InstalledPlugin[] {
    const plugins = installed.map(({ plugin }) => plugin);
    const failing = plugins.filter((plugin) => this.isCrashLooping(plugin)).map(({ id }) => [id, crashLooping] as const);
    const { ordered, skipped } = orderPlugins(plugins, new Map(failing));
    for (const { id, reason } of skipped) this.skip(id, reason);
    this.installed = [...ordered, ...plugins.filter((plugin) => !ordered.includes(plugin))];
    this.deps.switches.setPlugins(this.installed.map((plugin) => ({ ...plugin, dependencies: dependencyIds(plugin.dependencies) })));
    const isStarted = ({ id }: ServerPlugin) => !this.deps.safe || this.deps.switches.switchablePlugins.blockingCorePlugin(id);
    for (const plugin of ordered) if (!isStarted(plugin)) this.skip(plugin.id, ['安全模式下只启动核心插件', 'only core plugins start in safe mode']);
    return ordered.filter(isStarted).flatMap((plugin) => installed.filter((entry) => entry.plugin === plugin));
  }

  /** Lists every plugin of the deployment, dependencies before dependents. */
  facts(): PluginFacts[] {
    return this.installed.map((plugin) => ({
      plugin,
      skippedReason: this.reasonOf(plugin),
      isCrashLooping: this.isCrashLooping(plugin),
      jobs: this.jobs.titlesOf(plugin.id),
      taskCount: this.background.countOf(plugin.id),
      filters: this.filters.namesOf(plugin.id),
      providedServices: this.services.providedBy(plugin.id),
      usedServices: this.services.usedBy(plugin.id),
      fields: this.extensions.namesOf(plugin.id),
      rules: this.extensions.rulesOf(plugin.id),
    }));
  }

  /** Migrates the tables of each plugin; a plugin whose migration fails does not start. */
  async migrate(planned: readonly InstalledPlugin[]): Promise<ServerPlugin[]> {
    const ready: ServerPlugin[] = [];
    for (const entry of planned) {
      try {
        this.deps.starts.begin(entry.plugin.id);
        await migrate(this.deps.db, [entry]);
        ready.push(entry.plugin);
      } catch (error) {
        this.deps.starts.failed(entry.plugin.id);
        this.skip(entry.plugin.id, ['数据表未能更新', 'its tables could not be migrated'], error);
      }
    }
    return ready;
  }

  /** Starts plugins in the order of the list. */
  async start(plugins: readonly ServerPlugin[]): Promise<void> {
    for (const plugin of plugins) {
      const lost = dependencyIds(plugin.dependencies).find((need) => !this.running.some(({ id }) => id === need));
      if (lost) this.skip(plugin.id, [`所需插件「${lost}」未运行`, `it requires “${lost}”, which is not running`]);
      else await asPlugin(plugin.id, () => this.startGuarded(plugin));
    }
    this.deps.starts.settle();
    this.routes.push(...this.screens.routes(this.routes));
  }

  /** Returns the screens of the running plugins whose records are found by the search. */
  searched() {
    return [...this.screens.searched(), ...this.searchSources];
  }

  /** Runs the work that plugins do once every call is served. */
  ready(): Promise<void> {
    return this.background.ready();
  }

  /** Returns the reason why a plugin was left out, or that it will be retried. */
  private reasonOf(plugin: ServerPlugin): LocalizedText | undefined {
    const reason = this.skipped.find(({ id }) => id === plugin.id)?.reason;
    return reason === crashLooping && !this.isCrashLooping(plugin) ? willBeRetried : reason;
  }

  private isCrashLooping({ id, core }: Pick<ServerPlugin, 'id' | 'core'>): boolean {
    return !core && this.deps.starts.isLeftOut(id);
  }

  /** Stops the background work of plugins and resolves when none runs any more. */
  stop(): Promise<void> {
    return this.background.stop();
  }

  /** Leaves a plugin out and logs the reason. */
  skip(id: string, reason: LocalizedText, cause?: unknown): void {
    this.skipped.push({ id, reason });
    this.deps.log.error(cause === undefined ? { plugin: id } : { plugin: id, err: cause }, `plugin "${id}" was skipped: ${reason[1]}`);
  }

  private async startGuarded(plugin: ServerPlugin): Promise<void> {
    const { bus, parameters } = this.deps;
    const routes = new PluginRoutes(plugin.id, this.deps.db, plugin.menus, (method, path) => this.deps.explanations.titleOf(method, path));
    let phase: LocalizedText = ['注册接口', 'registering its routes'];
    this.deps.starts.begin(plugin.id);
    try {
      const context = this.contextOf(plugin);
      const contributions = plugin.setup?.(context) ?? {};
      this.register(plugin, contributions);
      for (const declared of contributions.routes ?? []) routes.add(declared);
      phase = ['写入初始数据', 'seeding its data'];
      await this.seed(plugin, context);
      await contributions.start?.();
      this.activate(plugin.id, contributions);
      const assertPluginEnabled = (principal: Principal | undefined) => this.deps.switches.assertPluginEnabled(plugin.id, principal);
      this.routes.push(...routes.all().map((route) => ({ ...route, assertPluginEnabled, handler: asPluginHandler(plugin.id, route.handler) })));
      this.screens.add(plugin.id, routes.screens, contributions.screenRoutes);
      this.declareReferences(routes, contributions);
      this.running.push(plugin);
      this.deps.starts.succeeded(plugin.id);
    } catch (error) {
      if (error instanceof BootError) throw error;
      for (const registry of [bus, this.filters, this.services, this.extensions, parameters, this.deps.signInServices.methods]) registry.unregister(plugin.id);
      this.deps.starts.failed(plugin.id);
      this.skip(plugin.id, [`在${phase[0]}时出错`, `it failed while ${phase[1]}`], error);
    }
  }

  /** Runs once per database and seed version: the ledger's key and the rows are written in one transaction. */
  private async seed(plugin: ServerPlugin, context: ServerContext): Promise<void> {
    if (!plugin.seed) return;
    const { db } = this.deps;
    const key = plugin.seedVersion === undefined ? plugin.id : `${plugin.id}@${plugin.seedVersion}`;
    await db.asPlatform('seeds the initial rows of a plugin', async () => {
      const first = await queryRows(db, sql`insert into seeded_plugin (plugin_id) values (${key}) on conflict do nothing returning plugin_id`);
      if (first.length > 0) await plugin.seed?.(context);
    });
  }

  /** Registers what must be in place before the plugin seeds and starts; `unregister` of each registry removes it if that fails. */
  private register(
    { id, extensions = [] }: ServerPlugin,
    { services = [], listeners = [], filters = [], signInMethods = [], readParameter, readDictionary, writeDictionaries, fileStores }: ServerContributions,
  ): void {
    const { bus, parameters, signInServices, dictionaryLabels, files } = this.deps;
    for (const extension of extensions) this.extensions.add(id, extension, this.routes);
    for (const { token, service } of services) this.services.provide(id, token, service);
    for (const { event, handle } of listeners) bus.on(id, event, this.whileEnabled(id, handle));
    for (const { filter, handle } of filters) this.filters.add(id, filter, this.whileEnabled(id, handle));
    for (const method of signInMethods) signInServices.methods.register(id, method);
    if (readParameter) parameters.registerReader(id, readParameter);
    if (readDictionary) dictionaryLabels.setStore({ readDictionary, ...(writeDictionaries ? { writeDictionaries } : {}) });
    if (fileStores) files.stores.setDirectory(fileStores);
  }

  /** Begins the work of a plugin that has started. */
  private activate(
    id: string,
    { figures = [], gauges = [], health = [], processors = {}, smsChannels = [], tasks = [], searchSources = [], ...work }: ServerContributions,
  ): void {
    const { db, metrics, sms, switches } = this.deps;
    this.figures.register(...figures);
    const readAll = (read: GaugeSource['read']) => db.asPlatform('reads metrics of all tenants', async () => read());
    metrics.addGauges(gauges.map((gauge) => ({ ...gauge, read: async () => (await this.whileEnabled(id, readAll)(gauge.read)) ?? [] })));
    this.deps.health.register(...health.map((source) => ({ ...source, read: async () => (await this.whileEnabled(id, source.read)()) ?? [] })));
    this.searchSources.push(...searchSources);
    for (const [name, processor] of Object.entries(processors)) this.jobs.register(name, processor);
    for (const channel of smsChannels) sms.register(channel, (tenantId) => switches.isOff(id, tenantId));
    this.background.add(id, { ...work, tasks: tasks.map((task) => ({ ...task, run: async (signal) => this.whileEnabled(id, task.run)(signal) })) });
  }

  /** Declares how rows of the plugin refer to other rows, and the pages that list them. */
  private declareReferences(routes: PluginRoutes, { references = [] }: ServerContributions): void {
    const registry = this.deps.db.references;
    const { screens } = routes;
    registry.declare(...references);
    for (const { call } of routes.all()) for (const code of requiredCodes(call.access)) if (call.filterable) registry.addListCode(call.filterable.name, code);
    for (const { screen } of screens) registry.setPage(screen.crud.entity.name, { title: screen.title, menu: screen.crud.menu, list: screen.crud.list?.path });
  }

  /** Skips background work of a plugin while the plugin is off in the whole deployment. */
  private whileEnabled<Given extends unknown[], Result>(plugin: string, work: (...given: Given) => Result) {
    return (...given: Given) => (this.deps.switches.isOff(plugin) ? undefined : asPlugin(plugin, () => work(...given)));
  }

  private contextOf({ id: plugin, dependencies, options = {} }: ServerPlugin): ServerContext {
    const { db, bus, usualLog, parameters, live, sms, files, basePath, egress } = this.deps;
    const mail = new ProvidedMail((tenantId) => this.serviceFor(plugin, Mail, tenantId));
    return {
      options,
      db,
      parameters,
      files,
      basePath,
      egress,
      systemLog: usualLog.of(plugin),
      live,
      inbox: new ProvidedInbox((tenantId) => this.serviceFor(plugin, Inbox, tenantId), mail),
      mail,
      sms,
      inBackground: (name, fields, run) => this.background.run(plugin, name, fields, run),
      get: <Service>(token: ServiceToken<Service>) =>
        (this.kernelServices.get(token) as Service) ?? this.services.get(plugin, dependencyIds(dependencies), token),
      secretKey: (purpose) => this.deps.secretKey(plugin, purpose),
      find: (token) => this.serviceFor(plugin, token),
      emit: (event, payload) => bus.emit(event, payload),
      applyFilters: (filter, value) => this.filters.apply(filter, value),
    };
  }

  /** Returns a service of another plugin that is enabled in the tenant, by default that of the current work. */
  private serviceFor<Service>(plugin: string, token: ServiceToken<Service>, tenantId?: string): Service | undefined {
    const { db, switches } = this.deps;
    return this.services.find(plugin, token, (owner) => switches.isOff(owner, tenantId ?? db.tenantId ?? currentActor()?.tenantId));
  }
}

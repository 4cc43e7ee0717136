import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { dependencyIds } from '#shared/plugin-versions';
import type { LocalizedText } from '#shared/text';
import { ByPlugin } from '../../base/by-plugin.ts';
import type { ServiceToken } from '../../base/services.ts';
import { queryRows } from '../../data/database/rows.ts';
import { migrate } from '../../data/schema/migrate.ts';
import { LogDestination } from '../../platform/audit/log-sink.ts';
import { asPlugin } from '../../platform/audit/stray-errors.ts';
import { Backups } from '../../platform/backup/backups.ts';
import { Evidence } from '../../platform/evidence/evidence.ts';
import { AddedFields, type EntityExtensions } from '../../platform/extensions/entity-extensions.ts';
import { FigureSources } from '../../platform/figures/figures.ts';
import { HealthSources } from '../../platform/health/health-sources.ts';
import { Principals } from '../../platform/http/authorize-call.ts';
import { BootError, type Route } from '../../platform/http/route.ts';
import { SignInFailures } from '../../platform/identity/passwords/failures.ts';
import { Passwords } from '../../platform/identity/passwords/passwords.ts';
import { Reauth } from '../../platform/identity/passwords/reauth.ts';
import { SignInPort } from '../../platform/identity/sign-in/sign-in-methods.ts';
import { signInPort } from '../../platform/identity/start-auth.ts';
import { Processors } from '../../platform/jobs/processors.ts';
import { PluginPackages } from '../../platform/packages/plugin-packages.ts';
import { Explanations } from '../../platform/permission/explanations.ts';
import { PersonalData } from '../../platform/personal/personal-data.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import { DictionaryLabels } from '../../platform/references/dictionary-labels.ts';
import { ReferenceReaders } from '../../platform/references/reference-reader.ts';
import { RunningServers } from '../../platform/replicas/running-servers.ts';
import type { SearchSource } from '../../platform/search/search-sources.ts';
import { PluginSwitches } from '../../platform/switches/plugin-switches.ts';
import { Deployment, type InstalledPlugin, type PluginFacts, type ServerContext, type ServerPlugin } from './plugin.ts';
import { pluginContext } from './plugin-context.ts';
import { PluginContributions } from './plugin-contributions.ts';
import type { ServerHostDeps } from './plugin-host-deps.ts';
import { crashLooping, orderPlugins, type SkippedPlugin, willBeRetried } from './plugin-order.ts';
import { PluginRoutes } from './plugin-routes.ts';
import { retriedTopic, runningDeployment } from './running-deployment.ts';
import { asPluginHandler } from './served-screens.ts';

/** Runs the plugins of a deployment. A plugin that cannot run is left out with its dependents, each with a reason; the server starts regardless. */
export class PluginHost {
  running: readonly ServerPlugin[] = [];
  skipped: readonly SkippedPlugin[] = [];
  private installed: readonly ServerPlugin[] = [];
  /** Plugins whose own migration or start failed. */
  private readonly failedIds = new Set<string>();
  /** All entries of the deployment, running or not. */
  private deployed: readonly InstalledPlugin[] = [];
  /** Routes of the running plugins; another list after each change. */
  routes: readonly Route[] = [];
  private readonly contributions: PluginContributions;
  private readonly ownRoutes = new ByPlugin<Route>();
  /** Entries of the running plugins. */
  private readonly entries = new Map<string, InstalledPlugin>();
  /** Services of the kernel that plugins get by their class. */
  private readonly kernelServices: ReadonlyMap<ServiceToken, unknown>;

  constructor(private readonly deps: ServerHostDeps) {
    this.contributions = new PluginContributions(deps);
    this.kernelServices = new Map<ServiceToken, unknown>([
      [Deployment, runningDeployment(deps, this)],
      [PluginSwitches, deps.switches],
      [Backups, deps.backups],
      [HealthSources, deps.health],
      [Evidence, deps.evidence],
      [PersonalData, new PersonalData(deps.db, deps.files, () => this.running)],
      [RunningServers, deps.servers],
      [PluginPackages, deps.packages],
      [Passwords, deps.passwords],
      [Explanations, deps.explanations],
      [LogDestination, deps.logDestination],
      [Principals, deps.principals],
      [ReferenceReaders, deps.references],
      [DictionaryLabels, deps.dictionaryLabels],
      [FigureSources, this.contributions.figures],
      [Processors, this.contributions.jobs],
      [AddedFields, this.contributions.extensions],
      [SignInPort, signInPort(deps.signInServices)],
      [Reauth, new Reauth({ db: deps.db, passwords: deps.passwords, failures: new SignInFailures(deps.db, deps.parameters) })],
    ]);
    deps.db.validateRow = (...written) => this.contributions.extensions.validate(...written);
    deps.db.onSignal(retriedTopic, (id) => deps.crashLoopGuard.clear(id));
  }

  /** Orders plugins for migration and start. */
  plan(installed: readonly InstalledPlugin[]): readonly InstalledPlugin[] {
    const plugins = installed.map(({ plugin }) => plugin);
    const failing = plugins.filter((plugin) => this.isCrashLooping(plugin)).map(({ id }) => [id, crashLooping] as const);
    const { ordered, skipped } = orderPlugins(plugins, new Map(failing));
    for (const { id, reason } of skipped) this.skip(id, reason);
    this.installed = [...ordered, ...plugins.filter((plugin) => !ordered.includes(plugin))];
    this.deps.switches.setPlugins(this.installed.map((plugin) => ({ ...plugin, dependencies: dependencyIds(plugin.dependencies) })));
    const isStarted = ({ id }: ServerPlugin) => !this.deps.safe || this.deps.switches.switchablePlugins.blockingCorePlugin(id);
    for (const plugin of ordered) if (!isStarted(plugin)) this.skip(plugin.id, ['安全模式下只启动核心插件', 'only core plugins start in safe mode']);
    this.deployed = installed;
    return ordered.filter(isStarted).flatMap((plugin) => installed.filter((entry) => entry.plugin === plugin));
  }

  /** Lists every plugin of the deployment, dependencies before dependents. */
  facts(): PluginFacts[] {
    return this.installed.map((plugin) => ({
      plugin,
      skippedReason: this.reasonOf(plugin),
      isCrashLooping: this.isCrashLooping(plugin),
      ...this.contributions.factsOf(this.entryOf(plugin)),
    }));
  }

  private entryOf(plugin: ServerPlugin): InstalledPlugin {
    return this.deployed.find((entry) => entry.plugin === plugin) as InstalledPlugin;
  }

  /** Migrates the tables of each plugin; a plugin whose migration fails does not start. */
  async migrate(planned: readonly InstalledPlugin[]): Promise<ServerPlugin[]> {
    const ready: ServerPlugin[] = [];
    for (const entry of planned) {
      try {
        this.deps.crashLoopGuard.begin(entry.plugin.id);
        await migrate(this.deps.db, [entry]);
        ready.push(entry.plugin);
      } catch (error) {
        this.deps.crashLoopGuard.failed(entry.plugin.id);
        this.skip(entry.plugin.id, ['数据表未能更新', 'its tables could not be migrated'], error);
      }
    }
    return ready;
  }

  /** Starts plugins in the order of the list. */
  async start(plugins: readonly ServerPlugin[]): Promise<void> {
    for (const plugin of plugins) {
      const missing = dependencyIds(plugin.dependencies).find((dependency) => !this.running.some(({ id }) => id === dependency));
      if (missing) this.skip(plugin.id, [`所需插件「${missing}」未运行`, `it requires “${missing}”, which is not running`]);
      else await asPlugin(plugin.id, () => this.startGuarded(plugin));
    }
    this.deps.crashLoopGuard.settle();
    const own = this.ownRoutes.all();
    this.routes = [...own, ...this.contributions.screens.routes(own)];
  }

  /** Job processors of the running plugins. */
  get jobs(): Processors {
    return this.contributions.jobs;
  }

  /** Fields and rules that plugins add to the entities of other plugins. */
  get extensions(): EntityExtensions {
    return this.contributions.extensions;
  }

  /** Returns the screens of the running plugins whose records are found by the search. */
  listSearchSources(): SearchSource[] {
    return this.contributions.listSearchSources();
  }

  /** Runs the work that plugins do once every call is served. */
  ready(): Promise<void> {
    return this.contributions.background.ready();
  }

  /**
   * Changes the plugins of the running server: takes out those that are no longer in the list, or are another version there, with their dependents, and starts those
   * that do not run. The others are not touched. Calls of a plugin that is taken out are answered until the routes are mounted again. Resolves to the reasons, by id, why
   * plugins that are new or ran before do not run.
   */
  async change(installed: readonly InstalledPlugin[]): Promise<ReadonlyMap<string, LocalizedText>> {
    const ranBefore = new Set(this.entries.keys());
    const isNew = new Set(installed.filter((entry) => !this.deployed.includes(entry)).map(({ plugin: { id } }) => id));
    const staleIds = [...this.entries].filter(([, entry]) => !installed.includes(entry)).map(([id]) => id);
    const stale = new Set([...staleIds, ...staleIds.flatMap((id) => this.deps.switches.switchablePlugins.dependentsOf(id))]);
    for (const { id } of this.running.toReversed()) if (stale.has(id)) await this.withdraw(id);
    for (const id of isNew) this.deps.crashLoopGuard.clear(id);
    for (const id of [...stale, ...isNew]) this.failedIds.delete(id);
    // A plugin that failed by itself is not tried again for the sake of another one.
    const stillFailed = this.skipped.filter(({ id }) => this.failedIds.has(id) && installed.some(({ plugin }) => plugin.id === id));
    this.skipped = [];
    const planned = this.plan(installed);
    const isDue = ({ plugin }: InstalledPlugin) => !this.entries.has(plugin.id) && !stillFailed.some(({ id }) => id === plugin.id);
    this.skipped = [...stillFailed, ...this.skipped.filter(({ id }) => !stillFailed.some((one) => one.id === id))];
    const added = await this.migrate(planned.filter(isDue));
    await this.start(added);
    for (const { id } of added) if (this.entries.has(id)) await this.contributions.background.ready(id);
    return new Map(this.skipped.filter(({ id }) => ranBefore.has(id) || isNew.has(id)).map(({ id, reason }) => [id, reason]));
  }

  private async withdraw(id: string): Promise<void> {
    await this.contributions.withdraw(id);
    this.ownRoutes.unregister(id);
    this.entries.delete(id);
    this.running = this.running.filter((plugin) => plugin.id !== id);
  }

  /** Returns the reason why a plugin was left out, or that it will be retried. */
  private reasonOf(plugin: ServerPlugin): LocalizedText | undefined {
    const reason = this.skipped.find(({ id }) => id === plugin.id)?.reason;
    return reason === crashLooping && !this.isCrashLooping(plugin) ? willBeRetried : reason;
  }

  private isCrashLooping({ id, core }: Pick<ServerPlugin, 'id' | 'core'>): boolean {
    return !core && this.deps.crashLoopGuard.isLeftOut(id);
  }

  /** Stops the background work of plugins and resolves when none runs any more. */
  stop(): Promise<void> {
    return this.contributions.background.stop();
  }

  /** Leaves a plugin out and logs the reason. */
  skip(id: string, reason: LocalizedText, cause?: unknown): void {
    this.skipped = [...this.skipped, { id, reason }];
    if (cause !== undefined) this.failedIds.add(id);
    this.deps.log.error(cause === undefined ? { plugin: id } : { plugin: id, err: cause }, `plugin "${id}" was skipped: ${reason[1]}`);
  }

  private async startGuarded(plugin: ServerPlugin): Promise<void> {
    const routes = new PluginRoutes(plugin.id, this.deps.db, plugin.menus, (method, path) => this.deps.explanations.titleOf(method, path));
    let phase: LocalizedText = ['注册接口', 'registering its routes'];
    this.deps.crashLoopGuard.begin(plugin.id);
    const begunAt = performance.now();
    try {
      const context = pluginContext(plugin, { ...this.deps, contributions: this.contributions, kernelServices: this.kernelServices });
      const contributions = this.contributions.setUp(plugin.id, () => plugin.setup?.(context)) ?? {};
      this.contributions.register(plugin, this.ownRoutes.all(), contributions);
      for (const declared of contributions.routes ?? []) routes.add(declared);
      phase = ['写入初始数据', 'seeding its data'];
      await this.seed(plugin, context);
      await contributions.start?.();
      this.contributions.activate(plugin.id, contributions);
      const assertPluginEnabled = (principal: Principal | undefined) => this.deps.switches.assertPluginEnabled(plugin.id, principal);
      this.ownRoutes.add(
        plugin.id,
        routes.all().map((route) => ({ ...route, assertPluginEnabled, handler: this.guarded(plugin, asPluginHandler(plugin.id, route.handler)) })),
      );
      this.contributions.screens.add(plugin.id, routes.screens, contributions.screenRoutes);
      this.contributions.declareReferences(plugin.id, routes, contributions);
      this.running = [...this.running, plugin];
      this.entries.set(plugin.id, this.entryOf(plugin));
      this.contributions.startTimes.set(plugin.id, performance.now() - begunAt);
      this.deps.crashLoopGuard.succeeded(plugin.id);
    } catch (error) {
      if (error instanceof BootError) throw error;
      await this.contributions.withdraw(plugin.id);
      this.deps.crashLoopGuard.failed(plugin.id);
      this.skip(plugin.id, [`在${phase[0]}时出错`, `it failed while ${phase[1]}`], error);
    }
  }

  /** Wraps a handler, so that a call that fails because its plugin was just taken out is refused as one of an unknown path, or of a plugin that is being replaced. */
  private guarded(plugin: ServerPlugin, handle: Route['handler']): Route['handler'] {
    return async (request) => {
      try {
        return await handle(request);
      } catch (error) {
        const current = this.deployed.find((entry) => entry.plugin.id === plugin.id)?.plugin;
        if (current === plugin || error instanceof ApiError) throw error;
        throw new ApiError(current ? problems.unavailable : problems.unknownPath, {}, { cause: error });
      }
    };
  }

  /** Runs once per database and seed version: the ledger's key and the rows are written in one transaction. */
  private async seed(plugin: ServerPlugin, context: ServerContext): Promise<void> {
    if (!plugin.seed) return;
    const { db } = this.deps;
    const key = plugin.seedVersion === undefined ? plugin.id : `${plugin.id}@${plugin.seedVersion}`;
    await db.asPlatform('seeds the initial rows of a plugin', async () => {
      const inserted = await queryRows(db, sql`insert into seeded_plugin (plugin_id) values (${key}) on conflict do nothing returning plugin_id`);
      if (inserted.length > 0) await plugin.seed?.(context);
    });
  }
}

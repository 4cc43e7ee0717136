import { sql } from 'drizzle-orm';
import type { Call, EventToken } from '#shared/contract';
import type { CrashLoopGuard } from '#shared/crash-loop-guard';
import { kernelParameters } from '#shared/kernel-parameters';
import { neededIds } from '#shared/plugin-fit';
import type { LocalizedText } from '#shared/text';
import type { ServerBus } from '../base/bus.ts';
import type { SecretKeys } from '../base/configuration/secret-key.ts';
import type { Egress } from '../base/egress.ts';
import { Filters } from '../base/filters.ts';
import { IntervalTask } from '../base/interval-task.ts';
import type { Log } from '../base/log.ts';
import { type ServiceToken, SharedServices } from '../base/services.ts';
import type { StoredParameters } from '../base/stored-parameters.ts';
import { currentActor } from '../data/context/actor.ts';
import type { Database } from '../data/database/database.ts';
import { queryRows } from '../data/database/rows.ts';
import { migrate } from '../data/schema/migrate.ts';
import { asPlugin, strayErrorCounts } from '../platform/audit/stray-errors.ts';
import type { UsualLog } from '../platform/audit/usual-log.ts';
import { EntityExtensions } from '../platform/extensions/entity-extensions.ts';
import { FigureSources } from '../platform/figures/figures.ts';
import type { Files } from '../platform/files/files.ts';
import { BootError, type Handler, type Route, type ServeOptions } from '../platform/http/route.ts';
import type { Passwords } from '../platform/identity/passwords/passwords.ts';
import { type SignInServices, signInPort } from '../platform/identity/start-auth.ts';
import { Inbox, ProvidedInbox } from '../platform/inbox/inbox.ts';
import { Processors } from '../platform/jobs/processors.ts';
import type { Live } from '../platform/live/live.ts';
import { declaredMenus, platformCodes } from '../platform/permission/declared-menus.ts';
import type { Explanations } from '../platform/permission/explanations.ts';
import type { Principal } from '../platform/principal/principal.ts';
import type { Sms } from '../platform/sms/sms.ts';
import type { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import type { DictionaryWords } from '../platform/transfers/dictionary-words.ts';
import type { Transfers } from '../platform/transfers/transfers.ts';
import type { InstalledPlugin, ServerContext, ServerPlugin } from './plugin.ts';
import type { PluginFacts } from './plugin-facts.ts';
import { orderPlugins, type SkippedPlugin } from './plugin-order.ts';
import { PluginRoutes } from './plugin-routes.ts';

/** Signal that lets every replica start a crash-looping plugin again. */
const retried = 'plugin-retried';
/** Reason shown after an administrator has requested a retry. */
const triedNext: LocalizedText = [
  '将在服务器下次启动时重试：接口只能在启动时注册',
  'it will be retried at the next server start, because routes can only be registered at startup',
];
const failsEachTime: LocalizedText = ['连续三次未能启动，已暂不启动；可重试', 'it failed to start three times in a row and is not started; retry to start it'];

/** Services that the host provides to plugins and takes back from them. */
export interface ServerHostDeps {
  readonly db: Database;
  readonly bus: ServerBus;
  readonly usualLog: UsualLog;
  readonly parameters: StoredParameters;
  readonly live: Live;
  readonly sms: Sms;
  readonly passwords: Passwords;
  readonly consoleClient: string;
  readonly signInServices: SignInServices;
  readonly secretKey: SecretKeys['ofPlugin'];
  readonly log: Log;
  readonly files: Files;
  readonly transfers: Transfers;
  readonly words: DictionaryWords;
  readonly explanations: Explanations;
  readonly switches: PluginSwitches;
  /** Counts the plugins that fail at each start. */
  readonly starts: CrashLoopGuard;
  /** True starts core plugins and their dependencies only. */
  readonly safe?: boolean;
  /** True if the deployment begins with sample rows. */
  readonly samples: boolean;
  readonly egress: Egress;
  /** Factor by which interval tasks run more often than their plugins declare. */
  readonly pace: number;
}

const handledAs =
  (plugin: string, handler: Route['handler']): Route['handler'] =>
  (request) =>
    asPlugin(plugin, () => handler(request));

/** Runs the plugins of a deployment. A plugin that cannot run is left out with its dependents, each with a reason; the server starts regardless. */
export class PluginHost {
  readonly running: ServerPlugin[] = [];
  readonly skipped: SkippedPlugin[] = [];
  private installed: readonly ServerPlugin[] = [];
  private readonly served: Route[] = [];
  private readonly rounds: { readonly plugin: string; readonly round: IntervalTask }[] = [];
  private readonly figures = new FigureSources();
  private readonly stops: (() => void)[] = [];
  private readonly filters = new Filters();
  private readonly services = new SharedServices();
  private readonly processors: Processors;
  /** Fields and rules that plugins add to the entities of other plugins. */
  readonly extensions: EntityExtensions;

  constructor(private readonly deps: ServerHostDeps) {
    this.processors = new Processors(deps.switches);
    this.extensions = new EntityExtensions(deps.db, (plugin, tenantId) => deps.switches.isOff(plugin, tenantId));
    deps.db.judge = (...written) => this.extensions.judge(...written);
    deps.db.onSignal(retried, (id) => deps.starts.forget(id));
  }

  /** Routes of the running plugins. */
  get routes(): readonly Route[] {
    return this.served;
  }

  /** Job processors of the running plugins. */
  get jobs(): Processors {
    return this.processors;
  }

  /** Orders plugins for migration and start. */
  plan(installed: readonly InstalledPlugin[]): InstalledPlugin[] {
    const plugins = installed.map(({ plugin }) => plugin);
    const failing = plugins.filter((plugin) => this.failsEachTime(plugin)).map(({ id }) => [id, failsEachTime] as const);
    const { ordered, skipped } = orderPlugins(plugins, new Map(failing));
    for (const { id, reason } of skipped) this.skip(id, reason);
    this.installed = [...ordered, ...plugins.filter((plugin) => !ordered.includes(plugin))];
    this.deps.switches.know(this.installed.map((plugin) => ({ ...plugin, dependencies: neededIds(plugin.dependencies) })));
    const isStarted = ({ id }: ServerPlugin) => !this.deps.safe || this.deps.switches.known.coreOver(id);
    for (const plugin of ordered) if (!isStarted(plugin)) this.skip(plugin.id, ['安全模式下只启动核心插件', 'only core plugins start in safe mode']);
    return ordered.filter(isStarted).flatMap((plugin) => installed.filter((entry) => entry.plugin === plugin));
  }

  /** Lists every plugin of the deployment, dependencies before dependents. */
  facts(): PluginFacts[] {
    return this.installed.map((plugin) => ({
      plugin,
      leftOut: this.reasonOf(plugin),
      failsEachTime: this.failsEachTime(plugin),
      jobs: this.processors.titlesOf(plugin.id),
      rounds: this.rounds.filter((one) => one.plugin === plugin.id).length,
      filters: this.filters.namesOf(plugin.id),
      shares: this.services.sharedBy(plugin.id),
      takes: this.services.takenBy(plugin.id),
      fields: this.extensions.namesOf(plugin.id),
      rules: this.extensions.tightenedBy(plugin.id),
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
      const lost = neededIds(plugin.dependencies).find((need) => !this.running.some(({ id }) => id === need));
      if (lost) this.skip(plugin.id, [`所需插件「${lost}」未运行`, `it requires “${lost}”, which is not running`]);
      else await asPlugin(plugin.id, () => this.startGuarded(plugin));
    }
    this.deps.starts.settle();
  }

  /** Returns the reason why a plugin was left out, or that it will be retried. */
  private reasonOf(plugin: ServerPlugin): LocalizedText | undefined {
    const reason = this.skipped.find(({ id }) => id === plugin.id)?.reason;
    return reason === failsEachTime && !this.failsEachTime(plugin) ? triedNext : reason;
  }

  private failsEachTime({ id, core }: Pick<ServerPlugin, 'id' | 'core'>): boolean {
    return !core && this.deps.starts.isLeftOut(id);
  }

  /** Stops all interval tasks and resolves when none runs any more. */
  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    for (const { round } of this.rounds) await round.stop();
  }

  /** Leaves a plugin out and logs the reason. */
  skip(id: string, reason: LocalizedText, cause?: unknown): void {
    this.skipped.push({ id, reason });
    this.deps.log.error(cause === undefined ? { plugin: id } : { plugin: id, err: cause }, `plugin "${id}" was skipped: ${reason[1]}`);
  }

  private async startGuarded(plugin: ServerPlugin): Promise<void> {
    const { bus, parameters } = this.deps;
    const routes = new PluginRoutes(plugin.id, this.deps.transfers, plugin.menus);
    let phase: LocalizedText = ['注册接口', 'registering its routes'];
    this.deps.starts.begin(plugin.id);
    try {
      const context = this.contextOf(plugin, routes);
      if (plugin.parameters) parameters.registerReader(plugin.id, plugin.parameters(context));
      if (plugin.dictionaries) this.deps.words.setReader(plugin.dictionaries(context));
      plugin.routes?.(context);
      phase = ['写入初始数据', 'seeding its data'];
      await this.seed(plugin, context);
      await plugin.start?.(context);
      const assertPluginEnabled = (principal: Principal | undefined) => this.deps.switches.assertPluginEnabled(plugin.id, principal);
      this.served.push(...routes.all().map((route) => ({ ...route, assertPluginEnabled, handler: handledAs(plugin.id, route.handler) })));
      this.running.push(plugin);
      this.deps.starts.succeeded(plugin.id);
    } catch (error) {
      if (error instanceof BootError) throw error;
      for (const registry of [bus, this.filters, this.services, this.extensions, parameters, this.figures, this.deps.signInServices.methods])
        registry.forget(plugin.id);
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

  private contextOf({ id: plugin, dependencies, options = {} }: ServerPlugin, routes: PluginRoutes): ServerContext {
    const { db, bus, usualLog, parameters, live, passwords, consoleClient, files, egress, explanations, switches } = this.deps;
    /** Skips background work of a plugin while the plugin is off in the whole deployment. */
    const unlessOff =
      <Given extends unknown[], Done>(work: (...given: Given) => Done) =>
      (...given: Given) =>
        switches.isOff(plugin) ? undefined : asPlugin(plugin, () => work(...given));
    return {
      options,
      db,
      parameters,
      live,
      inbox: new ProvidedInbox((tenantId) => this.serviceFor(plugin, Inbox, tenantId)),
      hasSamples: this.deps.samples,
      systemLog: usualLog.of(plugin),
      sms: this.smsOf(plugin),
      exports: this.deps.transfers.orders,
      jobs: this.processors.runBy(plugin),
      passwords,
      consoleClient,
      signIn: signInPort(this.deps.signInServices, plugin, (...serving) => routes.serve(...serving)),
      secretKey: (purpose) => this.deps.secretKey(plugin, purpose),
      explanations,
      figures: { register: (...sources) => this.figures.register(plugin, ...sources), all: () => this.figures.all() },
      plugins: { all: () => this.facts(), switches, retry: (id) => this.deps.db.signal(retried, id), strayErrors: () => strayErrorCounts(db) },
      parameterDeclarations: () => [...kernelParameters, ...this.running.flatMap((one) => one.parameterDeclarations ?? [])],
      platformOnly: () => platformCodes(declaredMenus(this.running)),
      serve: ((call: Call, handler: Handler<Call>, options?: ServeOptions) => routes.serve(call, handler, options)) as ServerContext['serve'],
      serveCrud: ((...serving: Parameters<PluginRoutes['serveCrud']>) => routes.serveCrud(...serving)) as ServerContext['serveCrud'],
      files,
      egress,
      every: (seconds, work) =>
        this.rounds.push({
          plugin,
          round: new IntervalTask(
            seconds / this.deps.pace,
            async () => unlessOff(work)(),
            (error) => this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" failed in its task that runs every ${seconds} s`),
          ),
        }),
      onStop: (work) => void this.stops.push(work),
      extend: (extension) => this.extensions.add(plugin, extension, this.served),
      copyAdded: ({ name }, from, to) => this.extensions.copy(name, from, to, db.tenantId),
      share: (token, service) => this.services.share(plugin, token, service),
      get: (token) => this.services.get(plugin, neededIds(dependencies), token),
      find: (token) => this.serviceFor(plugin, token),
      filter: (token, handle) => this.filters.add(plugin, token, unlessOff(handle)),
      applyFilters: (token, value) => this.filters.apply(token, value),
      emit: <Payload>(event: EventToken<Payload>, payload: Payload) => bus.emit(event, payload),
      on: <Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void | Promise<void>) => bus.on(plugin, event, unlessOff(listener)),
    };
  }

  /** Returns a service of another plugin that is enabled in the tenant, by default that of the current work. */
  private serviceFor<Service>(plugin: string, token: ServiceToken<Service>, tenantId?: string): Service | undefined {
    const { db, switches } = this.deps;
    return this.services.find(plugin, token, (owner) => switches.isOff(owner, tenantId ?? db.tenantId ?? currentActor()?.tenantId));
  }

  /** Registers SMS channels so that they are used only in tenants where their plugin is enabled. */
  private smsOf(plugin: string): Sms {
    const { sms, switches } = this.deps;
    const use: Sms['use'] = (channel) => sms.use(channel, (tenantId) => switches.isOff(plugin, tenantId));
    return Object.create(sms, { use: { value: use } }) as Sms;
  }
}

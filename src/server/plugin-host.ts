import { sql } from 'drizzle-orm';
import ranges from 'semver';
import type { Call, Crud, Entity, EventToken } from '#shared/contract';
import { neededIds } from '#shared/plugin-fit';
import type { Words } from '#shared/text';
import { unfitPlugins } from '#shared/unfit-plugins';
import { currentActor } from './audit/actor.ts';
import type { UsualLog } from './audit/usual-log.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Principal } from './auth/principal.ts';
import type { ServerBus } from './bus.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import type { Repository } from './db/repository.ts';
import type { Egress } from './egress/egress.ts';
import { EntityExtensions } from './extensions/entity-extensions.ts';
import { FigureSources } from './figures/figures.ts';
import type { Files } from './files/files.ts';
import { Filters } from './filters.ts';
import type { Log } from './http/app.ts';
import { BootRefusal, type Route } from './http/route.ts';
import type { Inbox } from './inbox/inbox.ts';
import { Processors } from './jobs/processors.ts';
import type { Live } from './live/live.ts';
import { declaredMenus, platformCodes } from './permission/declared-menus.ts';
import type { Explanations } from './permission/explanations.ts';
import type { CrudServing, Handler, InstalledPlugin, ServeCrud, ServeOptions, ServerContext, ServerPlugin } from './plugin.ts';
import { orderByNeeds, type Skipped } from './plugin-order.ts';
import { PluginRoutes } from './plugin-routes.ts';
import { Round } from './round.ts';
import { rowsOf } from './rows.ts';
import { SharedServices } from './services.ts';
import type { Sms } from './sms/sms.ts';
import type { StartCounter } from './start-counter.ts';
import type { StoredParameters } from './stored-parameters.ts';
import type { PluginFacts } from './switches/plugin-facts.ts';
import type { PluginSwitches } from './switches/plugin-switches.ts';
import type { DictionaryWords } from './transfers/dictionary-words.ts';
import type { Transfers } from './transfers/transfers.ts';

/** Every server hears that a plugin gets another chance. */
const retried = 'plugin-retried';
/** Once somebody has said retry. */
const triedNext: Words = [
  '将在服务器下次启动时重试：接口只能在启动时登记',
  'it is tried again when the server starts next, since its calls can be mounted only then',
];
const failsEachTime: Words = ['连续三次未能启动，已暂不启动；可重试', 'it failed at three starts in a row and waits for somebody to say retry'];

/** What the host lends plugins, and where it takes it back from. */
export interface HostParts {
  readonly db: Database;
  readonly bus: ServerBus;
  readonly usualLog: UsualLog;
  readonly parameters: StoredParameters;
  readonly live: Live;
  readonly inbox: Inbox;
  readonly sms: Sms;
  readonly passwords: Passwords;
  readonly consoleClient: string;
  readonly log: Log;
  readonly files: Files;
  readonly transfers: Transfers;
  readonly words: DictionaryWords;
  readonly explanations: Explanations;
  readonly switches: PluginSwitches;
  /** Remembers which plugins fail at each start. */
  readonly starts: StartCounter;
  /** True: core plugins and what they need alone. */
  readonly safe?: boolean;
  readonly egress: Egress;
  /** How many times as often rounds come round as their plugins say. */
  readonly pace: number;
}

/** Runs the plugins of a deployment. One that cannot run is left out with the plugins that need it, each with a sentence; the server starts regardless. */
export class PluginHost {
  readonly running: ServerPlugin[] = [];
  readonly skipped: Skipped[] = [];
  private installed: readonly ServerPlugin[] = [];
  private readonly served: Route[] = [];
  private readonly rounds: { readonly plugin: string; readonly round: Round }[] = [];
  private readonly figures = new FigureSources();
  private readonly stops: (() => void)[] = [];
  private readonly filters = new Filters();
  private readonly services = new SharedServices();
  private readonly processors: Processors;
  /** What plugins add to the rows of others. */
  readonly extensions: EntityExtensions;

  constructor(private readonly parts: HostParts) {
    this.processors = new Processors(parts.switches);
    this.extensions = new EntityExtensions(parts.db, (plugin, tenantId) => parts.switches.isOff(plugin, tenantId));
    parts.db.judge = (...written) => this.extensions.judge(...written);
    parts.db.onSignal(retried, (id) => parts.starts.forget(id));
  }

  /** The routes of the plugins that run. */
  get routes(): readonly Route[] {
    return this.served;
  }

  /** What the plugins that run can do as jobs. */
  get jobs(): Processors {
    return this.processors;
  }

  /** Plugins in the order in which they are migrated and started. */
  plan(installed: readonly InstalledPlugin[]): InstalledPlugin[] {
    const entries = installed.map((entry) => ({ ...entry, id: entry.plugin.id, needs: neededIds(entry.plugin.needs), wants: entry.plugin.wants ?? [] }));
    const plugins = installed.map(({ plugin }) => plugin);
    const failing = plugins.filter((plugin) => this.failsEachTime(plugin)).map(({ id }) => [id, failsEachTime] as const);
    const { ordered, skipped } = orderByNeeds(entries, new Map([...failing, ...unfitPlugins(plugins, ranges)]));
    for (const { id, reason } of skipped) this.skip(id, reason);
    this.installed = [...ordered, ...entries.filter((entry) => !ordered.includes(entry))].map(({ plugin }) => plugin);
    this.parts.switches.know(this.installed.map((plugin) => ({ ...plugin, needs: neededIds(plugin.needs) })));
    if (!this.parts.safe) return ordered;
    const stay = ordered.filter(({ id }) => this.parts.switches.known.coreOver(id));
    for (const { id } of ordered.filter((entry) => !stay.includes(entry))) this.skip(id, ['安全模式下只启动核心插件', 'safe mode starts core plugins only']);
    return stay;
  }

  /** Every plugin of the deployment, those that others need before them. */
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

  /** Brings the tables of each plugin up to date; one whose tables cannot be brought there does not start. */
  async migrate(planned: readonly InstalledPlugin[]): Promise<ServerPlugin[]> {
    const ready: ServerPlugin[] = [];
    for (const entry of planned) {
      try {
        this.parts.starts.begin(entry.plugin.id);
        await migrate(this.parts.db, [entry]);
        ready.push(entry.plugin);
      } catch (error) {
        this.parts.starts.failed(entry.plugin.id);
        this.skip(entry.plugin.id, ['数据表未能更新', 'its tables could not be brought up to date'], error);
      }
    }
    return ready;
  }

  /** Starts plugins in the order given. */
  async start(plugins: readonly ServerPlugin[]): Promise<void> {
    for (const plugin of plugins) {
      const lost = neededIds(plugin.needs).find((need) => !this.running.some(({ id }) => id === need));
      if (lost) this.skip(plugin.id, [`所需插件“${lost}”未运行`, `it needs "${lost}", which does not run`]);
      else await this.startGuarded(plugin);
    }
    this.parts.starts.settle();
  }

  /** Why a plugin was left out, or that it gets another chance. */
  private reasonOf(plugin: ServerPlugin): Words | undefined {
    const reason = this.skipped.find(({ id }) => id === plugin.id)?.reason;
    return reason === failsEachTime && !this.failsEachTime(plugin) ? triedNext : reason;
  }

  private failsEachTime({ id, core }: Pick<ServerPlugin, 'id' | 'core'>): boolean {
    return !core && this.parts.starts.isLeftOut(id);
  }

  /** Nothing is done every so often any more once this is done. */
  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    for (const { round } of this.rounds) await round.stop();
  }

  /** Leaves a plugin out and says so. */
  skip(id: string, reason: Words, cause?: unknown): void {
    this.skipped.push({ id, reason });
    this.parts.log.error(cause === undefined ? { plugin: id } : { plugin: id, err: cause }, `plugin "${id}" is left out: ${reason[1]}`);
  }

  private async startGuarded(plugin: ServerPlugin): Promise<void> {
    const { bus, parameters } = this.parts;
    const routes = new PluginRoutes(plugin.id, this.parts.transfers, plugin.menus);
    let phase: Words = ['登记接口', 'declaring its calls'];
    this.parts.starts.begin(plugin.id);
    try {
      const context = this.contextOf(plugin, routes);
      if (plugin.parameters) parameters.readFrom(plugin.id, plugin.parameters(context));
      if (plugin.dictionaries) this.parts.words.readFrom(plugin.dictionaries(context));
      plugin.routes?.(context);
      phase = ['写入初始数据', 'writing its first rows'];
      await this.seed(plugin, context);
      const refuseOff = (principal: Principal | undefined) => this.parts.switches.refuseOff(plugin.id, principal);
      this.served.push(...routes.all().map((route) => ({ ...route, refuseOff })));
      this.running.push(plugin);
      this.parts.starts.succeeded(plugin.id);
    } catch (error) {
      if (error instanceof BootRefusal) throw error;
      bus.forget(plugin.id);
      this.filters.forget(plugin.id);
      this.services.forget(plugin.id);
      this.extensions.forget(plugin.id);
      parameters.forget(plugin.id);
      this.figures.forget(plugin.id);
      this.parts.starts.failed(plugin.id);
      this.skip(plugin.id, [`在${phase[0]}时出错`, `it failed while ${phase[1]}`], error);
    }
  }

  /** Once per database and version of what is seeded: the ledger's key and the rows are one transaction. */
  private async seed(plugin: ServerPlugin, context: ServerContext): Promise<void> {
    if (!plugin.seed) return;
    const { db } = this.parts;
    const key = plugin.seedVersion === undefined ? plugin.id : `${plugin.id}@${plugin.seedVersion}`;
    await db.asPlatform('a plugin writes the rows a new deployment begins with', async () => {
      const first = await rowsOf(db, sql`insert into seeded_plugin (plugin_id) values (${key}) on conflict do nothing returning plugin_id`);
      if (first.length > 0) await plugin.seed?.(context);
    });
  }

  private contextOf({ id: plugin, needs, options = {} }: ServerPlugin, routes: PluginRoutes): ServerContext {
    const { db, bus, usualLog, parameters, live, inbox, passwords, consoleClient, files, egress, explanations, switches } = this.parts;
    /** What a plugin does unasked waits while it is off in the whole deployment. */
    const unlessOff =
      <Given extends unknown[], Done>(work: (...given: Given) => Done) =>
      (...given: Given) =>
        switches.isOff(plugin) ? undefined : work(...given);
    return {
      options,
      db,
      parameters,
      live,
      inbox,
      journal: usualLog.of(plugin),
      sms: this.smsOf(plugin),
      exports: this.parts.transfers.orders,
      jobs: this.processors.runBy(plugin),
      passwords,
      consoleClient,
      explanations,
      figures: { give: (...sources) => this.figures.give(plugin, ...sources), all: () => this.figures.all() },
      plugins: { all: () => this.facts(), switches, retry: (id) => this.parts.db.signal(retried, id) },
      platformOnly: () => platformCodes(declaredMenus(this.running)),
      serve: ((call: Call, handler: Handler<Call>, options?: ServeOptions) => routes.serve(call, handler, options)) as ServerContext['serve'],
      serveCrud: ((crud: Crud, repository: Repository<Entity, object>, serving?: CrudServing) => routes.serveCrud(crud, repository, serving)) as ServeCrud,
      files,
      egress,
      every: (seconds, work) =>
        this.rounds.push({
          plugin,
          round: new Round(
            seconds / this.parts.pace,
            async () => unlessOff(work)(),
            (error) => this.parts.log.error({ plugin, err: error }, `plugin "${plugin}" failed at what it does every ${seconds} s`),
          ),
        }),
      onStop: (work) => void this.stops.push(work),
      extend: (extension) => this.extensions.add(plugin, extension, this.served),
      copyAdded: ({ name }, from, to) => this.extensions.copy(name, from, to, db.tenantId),
      share: (token, service) => this.services.share(plugin, token, service),
      get: (token) => this.services.get(plugin, neededIds(needs), token),
      find: (token) => this.services.find(plugin, token, (owner) => switches.isOff(owner, db.tenantId ?? currentActor()?.tenantId)),
      filter: (token, handle) => this.filters.add(plugin, token, unlessOff(handle)),
      applyFilters: (token, value) => this.filters.apply(token, value),
      emit: <Payload>(event: EventToken<Payload>, payload: Payload) => bus.emit(event, payload),
      on: <Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void | Promise<void>) => bus.on(plugin, event, unlessOff(listener)),
    };
  }

  /** A plugin that sends text messages does so where it is on. */
  private smsOf(plugin: string): Sms {
    const { sms, switches } = this.parts;
    const use: Sms['use'] = (channel) => sms.use(channel, (tenantId) => switches.isOff(plugin, tenantId));
    return Object.create(sms, { use: { value: use } }) as Sms;
  }
}

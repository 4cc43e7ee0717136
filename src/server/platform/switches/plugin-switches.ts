import { sql } from 'drizzle-orm';
import { pluginDisabledProblem } from '#shared/disabled-plugins';
import { ApiError, problems } from '#shared/errors';
import type { LocalizedText } from '#shared/text';
import { currentActor } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { Principal } from '../principal/principal.ts';
import { invalidatePrincipals } from '../principal/principal-cache.ts';
import { type DisabledReason, type Switchable, SwitchablePlugins } from './switchable-plugins.ts';

/** Scope of settings for the whole deployment. */
export const wholeDeployment = '*';

const topic = 'plugins-switched';
const nothing: ReadonlySet<string> = new Set();
const none: ReadonlyMap<string, DisabledReason> = new Map();

/** Enabled and disabled plugins per tenant, in memory on every replica so that a test costs no query; a change takes effect everywhere with its commit. */
export class PluginSwitches {
  private plugins = new SwitchablePlugins([]);
  /** Plugins disabled in each scope, which is a tenant or the whole deployment. */
  private switched: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** Time of the latest known change of each scope, by the clock of the database. */
  private readonly changedAt = new Map<string, number>();
  private readonly cachedReasons = new Map<string, ReadonlyMap<string, DisabledReason>>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly db: Database) {
    db.onSignal(topic, (payload) => {
      const { place: scope, off, at = 0 } = JSON.parse(payload) as { place: string; off: string[]; at?: number };
      // Signals of several servers arrive in any order.
      if (at < (this.changedAt.get(scope) ?? 0)) return;
      this.changedAt.set(scope, at);
      this.put(scope, off);
    });
  }

  /** Sets the plugins of the deployment, dependencies before dependents. */
  setPlugins(plugins: readonly Switchable[]): void {
    this.plugins = new SwitchablePlugins(plugins);
    this.cachedReasons.clear();
  }

  get switchablePlugins(): SwitchablePlugins {
    return this.plugins;
  }

  /** Reads the disabled plugins: on start, and regularly in case a signal was missed. */
  async read(): Promise<void> {
    const changedBefore = new Map(this.changedAt);
    const rows = await this.db.asPlatform('loads the disabled plugins of every tenant', () =>
      queryRows<{ scope: string; plugins: string[] }>(
        this.db,
        sql`select tenant_id as scope, array_agg(plugin_id::text order by plugin_id) as plugins from plugin_switch group by tenant_id`,
      ),
    );
    const stored = new Map(rows.map(({ scope, plugins }) => [scope, plugins]));
    for (const scope of new Set([...stored.keys(), ...this.switched.keys()])) {
      // A signal that came meanwhile is newer than the rows.
      if (this.changedAt.get(scope) === changedBefore.get(scope)) this.put(scope, stored.get(scope) ?? []);
    }
  }

  /** Returns all disabled plugins by id, in a tenant or else in the whole deployment. The map is the same object until a plugin is switched. */
  offIn(tenantId: string = wholeDeployment): ReadonlyMap<string, DisabledReason> {
    if (this.switched.size === 0) return none;
    // A tenant without settings of its own shares the map of the deployment.
    const scope = this.switched.has(tenantId) ? tenantId : wholeDeployment;
    const reasons =
      this.cachedReasons.get(scope) ?? this.plugins.off(this.switchedIn(wholeDeployment), scope === wholeDeployment ? nothing : this.switchedIn(scope));
    this.cachedReasons.set(scope, reasons);
    return reasons;
  }

  isOff(plugin: string, tenantId?: string): boolean {
    return this.offIn(tenantId).has(plugin);
  }

  /** Returns the plugins disabled directly in one scope: a tenant, or the whole deployment. */
  switchedIn(scope: string): ReadonlySet<string> {
    return this.switched.get(scope) ?? nothing;
  }

  /** Tenants that have disabled plugins themselves. */
  get tenants(): readonly string[] {
    return [...this.switched.keys()].filter((scope) => scope !== wholeDeployment);
  }

  /** Rejects a call of a plugin that is disabled for the caller; without a session the call is reported as unknown. */
  assertPluginEnabled(plugin: string, principal: Pick<Principal, 'tenantId'> | undefined): void {
    if (!this.isOff(plugin, principal?.tenantId)) return;
    throw principal ? new ApiError(pluginDisabledProblem(this.titleOf(plugin)), {}, { data: { plugin } }) : new ApiError(problems.unknownPath);
  }

  titleOf(plugin: string): LocalizedText {
    return this.plugins.find(plugin)?.title ?? [plugin, plugin];
  }

  /** Enables or disables a plugin in a tenant or everywhere; false if nothing changed. Part of the current transaction. */
  async setEnabled(plugin: string, scope: string, on: boolean): Promise<boolean> {
    const { db } = this;
    return db.asPlatform('stores disabled plugins outside of tenant rows', async () => {
      await db.lock(topic);
      const changed = await queryRows(
        db,
        on
          ? sql`delete from plugin_switch where tenant_id = ${scope} and plugin_id = ${plugin} returning 1`
          : sql`insert into plugin_switch (tenant_id, plugin_id, create_user) values (${scope}, ${plugin}, ${currentActor()?.userId ?? null}) on conflict do nothing returning 1`,
      );
      if (changed.length === 0) return false;
      const off = (await queryRows<{ id: string }>(db, sql`select plugin_id as id from plugin_switch where tenant_id = ${scope} order by 1`)).map(
        ({ id }) => id,
      );
      // Under the lock this time grows with the order of the commits.
      const [now] = await queryRows<{ at: number }>(db, sql`select extract(epoch from clock_timestamp())::float8 as at`);
      db.afterCommit(() => this.put(scope, off));
      // This signal comes first, so that principals loaded again already lack the codes of disabled plugins.
      await db.signal(topic, JSON.stringify({ place: scope, off, at: now?.at }));
      await invalidatePrincipals(db, scope === wholeDeployment ? { everyone: true } : { tenantId: scope });
      return true;
    });
  }

  /** Subscribes to every change, on every replica. */
  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private put(scope: string, off: readonly string[]): void {
    const before = this.switchedIn(scope);
    if (before.size === off.length && off.every((id) => before.has(id))) return;
    const switched = new Map(this.switched).set(scope, new Set(off));
    if (off.length === 0) switched.delete(scope);
    this.switched = switched;
    this.cachedReasons.clear();
    for (const listener of this.listeners) listener();
  }
}

import { Subscription } from 'rxjs';
import { type Http, type PluginHost, type PluginState, Store } from '#kernel';
import { everyTenant, type PluginRow, plugins } from '../contract.ts';
import { pluginMessages } from './messages.ts';

interface State {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Scope of the switches: a tenant's code, or all tenants. */
  readonly scope: string;
  /** Name of the selected tenant. */
  readonly tenantName: string | undefined;
  readonly rows: readonly PluginRow[];
  readonly query: string;
  /** Ids of the plugins that are being enabled or disabled. */
  readonly togglingIds: readonly string[];
  /** Ids of the plugins that were uninstalled here; their console halves run until a reload. */
  readonly uninstalledIds: readonly string[];
}

/** State of the plugins in one tenant or in all. */
export class PluginsStore extends Store<State> {
  readonly lifetime = new Subscription();
  private lastRequest = 0;

  constructor(
    private readonly http: Pick<Http, 'send'>,
    scope: string,
  ) {
    super({ status: 'loading', scope, tenantName: undefined, rows: [], query: '', togglingIds: [], uninstalledIds: [] });
  }

  async load(): Promise<void> {
    this.lastRequest += 1;
    const { lastRequest } = this;
    const response = await this.http.send(plugins.list, { place: this.state.scope }, { quiet: true }).catch(() => undefined);
    if (lastRequest !== this.lastRequest) return;
    if (response?.success) this.patch({ status: 'ready', rows: response.data });
    else this.patch({ status: this.state.rows.length > 0 ? 'ready' : 'failed' });
  }

  selectScope(scope: string, tenantName: string | undefined): void {
    this.patch({ scope, tenantName, rows: [], status: 'loading' });
    void this.load();
  }

  search(searchText: string): void {
    this.patch({ query: searchText });
  }

  /** Enables or disables a plugin; resolves true on success. */
  async setEnabled(id: string, enabled: boolean): Promise<boolean> {
    this.patch({ togglingIds: [...this.state.togglingIds, id] });
    const answer = await this.http.send(plugins.setEnabled, { id, on: enabled, place: this.state.scope }).catch(() => undefined);
    await this.load();
    this.patch({ togglingIds: this.state.togglingIds.filter((one) => one !== id) });
    return answer?.success === true;
  }

  /** Hides a plugin that was uninstalled. */
  hideUninstalled(id: string): void {
    this.patch({ uninstalledIds: [...this.state.uninstalledIds, id] });
    void this.load();
  }

  /** Requests another start of a plugin; resolves true when the servers accept it. */
  async retry(id: string): Promise<boolean> {
    const answer = await this.http.send(plugins.retry, { id }).catch(() => undefined);
    await this.load();
    return answer?.success === true;
  }

  private patch(change: Partial<State>): void {
    if (!this.lifetime.closed) this.update(() => ({ ...this.state, ...change }));
  }
}

/** True when the plugin should run in this browser but does not. */
export const isDown = (state: PluginState | undefined): boolean => state?.status === 'quarantined' || state?.status === 'skipped';

/** Returns the console plugins that have no server half. They are listed only for the whole deployment, because the server decides which plugins a tenant sees. */
export function consoleOnlyRows(
  host: Pick<PluginHost, 'states' | 'definitions'>,
  { rows, scope, uninstalledIds }: Pick<State, 'rows' | 'scope' | 'uninstalledIds'>,
): PluginRow[] {
  if (scope !== everyTenant) return [];
  const titleOf = (id: string) => host.states.find((state) => state.id === id)?.title ?? ([id, id] as const);
  return host.states
    .filter(({ id, cause }) => cause?.kind !== 'duplicate' && !uninstalledIds.includes(id) && !rows.some((row) => row.id === id))
    .map(({ id, title, dependencies }) => {
      const { version, pages = [] } = host.definitions.find((plugin) => plugin.id === id) ?? {};
      const withTitles = (ids: readonly string[]) => ids.map((one) => ({ id: one, title: titleOf(one) }));
      return {
        id,
        title,
        state: 'running',
        fixed: pluginMessages.consoleOnly,
        failsEachTime: false,
        strayErrors: 0,
        ...(version ? { version } : {}),
        needs: withTitles(dependencies),
        neededBy: withTitles(host.states.filter((state) => state.dependencies.includes(id)).map((state) => state.id)),
        pages: pages.map(({ menu }) => menu.title),
        codes: 0,
        jobs: [],
        rounds: 0,
        checks: 0,
      };
    });
}

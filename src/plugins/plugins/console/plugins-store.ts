import { Subscription } from 'rxjs';
import { type Http, Store } from '#kernel';
import { type PluginRow, plugins } from '../contract.ts';

interface State {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Scope of the switches: a tenant's code, or all tenants. */
  readonly scope: string;
  /** Name of the selected tenant. */
  readonly tenant: string | undefined;
  readonly rows: readonly PluginRow[];
  readonly query: string;
  /** Id of the plugin that is being switched. */
  readonly togglingId: string | undefined;
}

/** State of the plugins in one tenant or in all. */
export class PluginsStore extends Store<State> {
  readonly lifetime = new Subscription();
  private lastRequest = 0;

  constructor(
    private readonly http: Pick<Http, 'send'>,
    scope: string,
  ) {
    super({ status: 'loading', scope, tenant: undefined, rows: [], query: '', togglingId: undefined });
  }

  async load(): Promise<void> {
    this.lastRequest += 1;
    const { lastRequest } = this;
    const response = await this.http.send(plugins.list, { place: this.state.scope }, { quiet: true }).catch(() => undefined);
    if (lastRequest !== this.lastRequest) return;
    if (response?.success) this.patch({ status: 'ready', rows: response.data });
    else this.patch({ status: this.state.rows.length > 0 ? 'ready' : 'failed' });
  }

  selectScope(scope: string, tenant: string | undefined): void {
    this.patch({ scope, tenant, rows: [], status: 'loading' });
    void this.load();
  }

  search(searchText: string): void {
    this.patch({ query: searchText });
  }

  /** Enables or disables a plugin; resolves true on success. */
  async setEnabled(id: string, on: boolean): Promise<boolean> {
    this.patch({ togglingId: id });
    const answer = await this.http.send(plugins.setEnabled, { id, on, place: this.state.scope }).catch(() => undefined);
    await this.load();
    this.patch({ togglingId: undefined });
    return answer?.success === true;
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

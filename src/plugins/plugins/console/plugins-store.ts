import { Subscription } from 'rxjs';
import { type Http, Store } from '#kernel';
import { type PluginRow, plugins } from '../contract.ts';

interface State {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Scope of the switches: a tenant's code, or all tenants. */
  readonly place: string;
  /** Name of the selected tenant. */
  readonly tenant: string | undefined;
  readonly rows: readonly PluginRow[];
  readonly sought: string;
  /** Id of the plugin that is being switched. */
  readonly turning: string | undefined;
}

/** State of the plugins in one tenant or in all. */
export class PluginsStore extends Store<State> {
  readonly lifetime = new Subscription();
  private asked = 0;

  constructor(
    private readonly http: Pick<Http, 'send'>,
    index: string,
  ) {
    super({ status: 'loading', place: index, tenant: undefined, rows: [], sought: '', turning: undefined });
  }

  async load(): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    const answer = await this.http.send(plugins.list, { place: this.state.place }, { quiet: true }).catch(() => undefined);
    if (asked !== this.asked) return;
    if (answer?.success) this.become({ status: 'ready', rows: answer.data });
    else this.become({ status: this.state.rows.length > 0 ? 'ready' : 'failed' });
  }

  selectScope(scope: string, tenant: string | undefined): void {
    this.become({ place: scope, tenant, rows: [], status: 'loading' });
    void this.load();
  }

  search(searchText: string): void {
    this.become({ sought: searchText });
  }

  /** Enables or disables a plugin; resolves true on success. */
  async setEnabled(id: string, on: boolean): Promise<boolean> {
    this.become({ turning: id });
    const answer = await this.http.send(plugins.turn, { id, on, place: this.state.place }).catch(() => undefined);
    await this.load();
    this.become({ turning: undefined });
    return answer?.success === true;
  }

  /** Requests another start of a plugin; resolves true when the servers accept it. */
  async retry(id: string): Promise<boolean> {
    const answer = await this.http.send(plugins.retry, { id }).catch(() => undefined);
    await this.load();
    return answer?.success === true;
  }

  private become(change: Partial<State>): void {
    if (!this.lifetime.closed) this.update(() => ({ ...this.state, ...change }));
  }
}

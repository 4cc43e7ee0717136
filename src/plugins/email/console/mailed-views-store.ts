import { type Http, Store } from '#kernel';
import type { Subscription } from '../own-contract.ts';

/** Loads the contract with the first request, so that the start of the console does not wait for it. */
const calls = async () => (await import('../own-contract.ts')).ownEmail;

interface MailedViewsState {
  readonly status: 'unknown' | 'loading' | 'ready' | 'failed';
  /** False where the tenant sends no e-mail. */
  readonly isOffered: boolean;
  readonly views: readonly Subscription[];
}

/** Name of a view and the path of its list. */
type ViewName = Pick<Subscription, 'list' | 'view'>;

/** Saved views that the signed-in user gets by e-mail. */
export class MailedViewsStore extends Store<MailedViewsState> {
  private lastRequest = 0;

  constructor(private readonly http: Http) {
    super({ status: 'unknown', isOffered: false, views: [] });
  }

  /** Loads the views, unless they are being loaded. */
  async load(): Promise<void> {
    if (this.state.status !== 'loading') await this.reload();
  }

  /** Mails a view every week, or changes when; returns the schedule, or undefined if the server refused. */
  async mail(input: ViewName & Partial<Pick<Subscription, 'weekday' | 'hour'>>) {
    const reply = await this.http.send((await calls()).mailView, input).catch(() => undefined);
    await this.reload();
    return reply?.success ? reply.data : undefined;
  }

  async stop({ list, view }: ViewName): Promise<boolean> {
    const reply = await this.http.send((await calls()).stopView, { list, view }).catch(() => undefined);
    await this.reload();
    return reply?.success === true;
  }

  /** Loads the views again after a change; the reply to an earlier request is dropped. */
  private async reload(): Promise<void> {
    this.lastRequest += 1;
    const { lastRequest } = this;
    this.set({ status: 'loading' });
    const reply = await this.http.send((await calls()).views, {}, { quiet: true }).catch(() => undefined);
    if (lastRequest === this.lastRequest) this.set(reply?.success ? { ...reply.data, status: 'ready' } : { status: 'failed' });
  }
}

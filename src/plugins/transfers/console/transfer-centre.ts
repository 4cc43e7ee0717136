import { Subject, Subscription } from 'rxjs';
import { type Http, type Live, Store } from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { TransferRow } from '#shared/transfer-schemas';
import { TransferEnded, transfers } from '../contract.ts';

/** State of the download centre. */
export interface CentreState {
  readonly rows: readonly TransferRow[];
  readonly isOpen: boolean;
  /** True once rows have been loaded. */
  readonly isLoaded: boolean;
  /** True if the last request for the rows failed. */
  readonly hasFailed: boolean;
  /** One-time passwords that the user has not dismissed yet; the server returns them only once. */
  readonly passwords: readonly OneTimePassword[];
}

const pollMs = 1500;

/** True for a transfer that has not ended. */
export const isUnfinished = ({ state }: Pick<TransferRow, 'state'>) => state === 'queued' || state === 'running';

/** The user's exports and imports: loaded when the list opens or a transfer ends, and polled while one is running. */
export class TransferCentre extends Store<CentreState> {
  /** Emits exports that have ended after this window has seen them waiting or running. */
  readonly endedExports$ = new Subject<TransferRow>();
  private readonly lifetime = new Subscription();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of requests for the rows; only the answer to the last one counts. */
  private requests = 0;

  constructor(
    private readonly http: Http,
    live: Live,
  ) {
    super({ rows: [], isOpen: false, isLoaded: false, hasFailed: false, passwords: [] });
    this.lifetime.add(live.stream(TransferEnded).subscribe(() => void this.refresh()));
  }

  setOpen(isOpen: boolean): void {
    this.set({ isOpen });
    if (isOpen) void this.refresh();
  }

  /** Loads the transfers again; keeps polling while any is running, also after a request that failed. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.requests += 1;
    const { requests } = this;
    const response = await this.http.send(transfers.list, {}, { quiet: true }).catch(() => undefined);
    if (this.lifetime.closed || requests !== this.requests) return;
    if (response?.success) this.setRows(response.data);
    this.set({ hasFailed: !response?.success });
    if (this.state.rows.some(isUnfinished)) this.timer = setTimeout(() => void this.refresh(), pollMs);
  }

  /** Downloads a file of a transfer: its result, or the rows it has refused. */
  async download(id: string, part: 'result' | 'problems' = 'result'): Promise<void> {
    const response = await this.http.send(transfers.link, { id, part });
    if (response.success) downloadLink(response.data.link);
  }

  /** Fetches the passwords of the accounts an import has created; the server returns them only once. */
  async takePasswords(id: string): Promise<readonly OneTimePassword[]> {
    const response = await this.refreshAfter(this.http.send(transfers.passwords, { id }));
    return response.success ? response.data : [];
  }

  /** Shows passwords in the download centre until the user dismisses them. */
  showPasswords(passwords: readonly OneTimePassword[]): void {
    if (passwords.length > 0) this.set({ isOpen: true, passwords: [...this.state.passwords, ...passwords] });
  }

  dismissPasswords(): void {
    this.set({ passwords: [] });
  }

  async cancel(id: string): Promise<void> {
    await this.refreshAfter(this.http.send(transfers.cancel, { id }));
  }

  async retry(id: string): Promise<void> {
    await this.refreshAfter(this.http.send(transfers.retry, { id }));
  }

  async remove(id: string): Promise<void> {
    await this.refreshAfter(this.http.send(transfers.remove, { ids: [id] }));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.lifetime.unsubscribe();
    this.endedExports$.complete();
  }

  private setRows(rows: readonly TransferRow[]): void {
    const unfinished = new Set(this.state.rows.filter(isUnfinished).map(({ id }) => id));
    this.set({ rows, isLoaded: true });
    for (const row of rows) if (row.kind === 'export' && unfinished.has(row.id) && !isUnfinished(row)) this.endedExports$.next(row);
  }

  private async refreshAfter<Result>(request: Promise<Result>): Promise<Result> {
    try {
      return await request;
    } finally {
      await this.refresh();
    }
  }
}

/** Downloads a signed link; the server sends it as an attachment, so the page stays. */
export function downloadLink(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

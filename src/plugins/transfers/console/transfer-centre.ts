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

  constructor(
    private readonly http: Http,
    live: Live,
  ) {
    super({ rows: [], isOpen: false, isLoaded: false });
    this.lifetime.add(live.stream(TransferEnded).subscribe(() => void this.refresh()));
  }

  setOpen(isOpen: boolean): void {
    this.update((state) => void Object.assign(state, { isOpen }));
    if (isOpen) void this.refresh();
  }

  /** Loads the transfers again; keeps polling while any is running. */
  async refresh(): Promise<void> {
    clearTimeout(this.timer);
    const response = await this.http.send(transfers.list, {}, { quiet: true }).catch(() => undefined);
    if (this.lifetime.closed || !response?.success) return;
    const unfinished = new Set(this.state.rows.filter(isUnfinished).map(({ id }) => id));
    this.update((state) => void Object.assign(state, { rows: response.data, isLoaded: true }));
    for (const row of response.data) if (row.kind === 'export' && unfinished.has(row.id) && !isUnfinished(row)) this.endedExports$.next(row);
    clearTimeout(this.timer);
    if (response.data.some(isUnfinished)) this.timer = setTimeout(() => void this.refresh(), pollMs);
  }

  /** Downloads a file of a transfer: its result, or the rows it has refused. */
  async download(id: string, part: 'result' | 'problems' = 'result'): Promise<void> {
    const response = await this.http.send(transfers.link, { id, part }).catch(() => undefined);
    if (response?.success) fetchFile(response.data.link);
  }

  /** Fetches the passwords of the accounts an import has created; the server returns them only once. */
  async passwords(id: string): Promise<readonly OneTimePassword[]> {
    const response = await this.http.send(transfers.passwords, { id }).catch(() => undefined);
    await this.refresh();
    return response?.success ? response.data : [];
  }

  async cancel(id: string): Promise<void> {
    await this.http.send(transfers.cancel, { id }).catch(() => undefined);
    await this.refresh();
  }

  async retry(id: string): Promise<void> {
    await this.http.send(transfers.retry, { id }).catch(() => undefined);
    await this.refresh();
  }

  async remove(id: string): Promise<void> {
    await this.http.send(transfers.remove, { ids: [id] }).catch(() => undefined);
    await this.refresh();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.lifetime.unsubscribe();
    this.endedExports$.complete();
  }
}

/** Downloads a signed link; the server sends it as an attachment, so the page stays. */
export function fetchFile(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

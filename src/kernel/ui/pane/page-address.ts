import { BehaviorSubject, type Observable } from 'rxjs';
import { searchOf } from '#shared/list-address';

/** Kind of a change of the address: `push` adds an entry to the browser's history, `replace` changes the current one. */
export type HistoryChange = 'push' | 'replace';

/** Parameters in the address of one page, whether its tab is shown or hidden. Addresses of other tabs do not affect it. */
export class PageAddress {
  private readonly subject: BehaviorSubject<string>;
  /** Emits the search part of the address at once and with every change, by the page itself or by the browser. */
  readonly search$: Observable<string>;

  constructor(
    search: string,
    private readonly onChange: (search: string, change: HistoryChange) => void,
  ) {
    this.subject = new BehaviorSubject(search);
    this.search$ = this.subject.asObservable();
  }

  get search(): string {
    return this.subject.value;
  }

  /** Changes parameters; does nothing when they have these values already. */
  change(edit: (parameters: URLSearchParams) => void, historyChange: HistoryChange): void {
    const parameters = new URLSearchParams(this.search);
    const before = searchOf(parameters);
    edit(parameters);
    if (searchOf(parameters) === before) return;
    this.follow(searchOf(parameters));
    this.onChange(this.search, historyChange);
  }

  /** Adopts the address to which the browser or a link has led. */
  follow(search: string): void {
    if (search !== this.search) this.subject.next(search);
  }
}

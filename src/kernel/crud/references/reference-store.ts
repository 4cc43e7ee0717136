import { debounce, map, of, Subject, Subscription, switchMap, timer } from 'rxjs';
import * as Type from 'typebox';
import { get, type ListInput } from '#shared/contract';
import type { ReferenceSource } from '#shared/fields';
import { Store } from '../../base/store/store.ts';
import type { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';

/** A row to choose from. */
export interface ReferenceChoice {
  readonly value: string;
  readonly title: string;
  /** True when the answer contains no children. */
  readonly isLeaf: boolean;
  readonly children: readonly ReferenceChoice[];
}

/** State of the rows of a picker. */
export interface ReferenceState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly choices: readonly ReferenceChoice[];
  readonly hasMore: boolean;
}

interface ReferenceQuery {
  readonly typed: string;
  readonly page: number;
  readonly isDebounced: boolean;
}

type ReferenceQueryParams = Readonly<Record<string, unknown>>;
const pageSize = 20;

/** Loads the rows of a picker: by search text, page by page, or branch by branch. */
export class ReferenceStore extends Store<ReferenceState> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly requests$ = new Subject<ReferenceQuery>();
  private last: ReferenceQuery = { typed: '', page: 0, isDebounced: false };

  constructor(
    private readonly http: Http,
    private readonly source: ReferenceSource,
    private readonly extraInput: ReferenceQueryParams,
  ) {
    super({ status: 'loading', choices: [], hasMore: false });
    const answers$ = this.requests$.pipe(
      debounce(({ isDebounced }) => (isDebounced ? timer(250) : of(0))),
      switchMap((query) => this.request(query).pipe(map((answer) => ({ query, answer })))),
    );
    this.lifetime.add(answers$.subscribe(({ query, answer }) => this.show(query, answer)));
  }

  /** Searches for the typed text. A call without a search parameter is sent once, and the picker filters the loaded rows. */
  search(typed: string): void {
    if (this.source.search || this.last.page === 0) this.next({ typed, page: 1, isDebounced: typed !== this.last.typed && this.last.page > 0 });
  }

  loadMore(): void {
    if (this.state.hasMore && this.state.status === 'ready') this.next({ ...this.last, page: this.last.page + 1, isDebounced: false });
  }

  /** Loads the children of one row of a lazy tree. */
  async loadChildren(value: string): Promise<readonly ReferenceChoice[]> {
    const { branch = 'parentId', shape } = this.source;
    const input = { ...this.input(), [branch]: value } as ListInput;
    const answer = await this.http.send(choicesCall(this.source), input, { quiet: true }).catch(() => undefined);
    // After a failure the row can be expanded again.
    if (!answer?.success) return [];
    const children = choicesOf(answer.data, this.source);
    if (shape === 'lazy-tree') this.set({ choices: withChildren(this.state.choices, value, children) });
    return children;
  }

  private next(query: ReferenceQuery): void {
    this.last = query;
    this.set({ status: 'loading' });
    this.requests$.next(query);
  }

  private input(): ReferenceQueryParams {
    return { ...this.source.input, ...this.extraInput };
  }

  private request({ typed, page }: ReferenceQuery) {
    const { search, paged } = this.source;
    const input = { ...this.input(), ...(search && typed ? { [search]: typed } : {}), ...(paged ? { current: page, size: pageSize } : {}) };
    return observeRequest(this.http, choicesCall(this.source), input as ListInput, { quiet: true });
  }

  private show({ page }: ReferenceQuery, answer: { readonly success: boolean; readonly data?: unknown }): void {
    if (!answer.success) {
      this.set({ status: 'failed' });
      return;
    }
    const { total = 0 } = (answer.data ?? {}) as { total?: number };
    const found = choicesOf(answer.data, this.source);
    const choices = page > 1 ? [...this.state.choices, ...found] : found;
    const hasMore = this.source.paged === true && found.length > 0 && page * pageSize < total;
    this.set({ status: 'ready', choices, hasMore });
  }
}

/** Returns the call of a picker. */
export const choicesCall = ({ path }: Pick<ReferenceSource, 'path'>) =>
  get(path, { title: ['选项', 'Choices'], access: 'signedIn', input: Type.Unsafe<ListInput>({}), reply: Type.Unsafe<unknown>({}) });

type ReferenceReply = Readonly<Record<string, unknown>> & { readonly children?: readonly ReferenceReply[]; readonly hasChildren?: unknown };

/** Converts the rows of an answer to choices. */
export function choicesOf(data: unknown, source: ReferenceSource): ReferenceChoice[] {
  const rows = (Array.isArray(data) ? data : ((data as { records?: unknown } | null)?.records ?? [])) as readonly ReferenceReply[];
  return rows.map((row) => {
    const children = row.children ? choicesOf(row.children, source) : [];
    const isLeaf = source.shape === 'lazy-tree' ? row.hasChildren === false || row.hasChildren === 0 : children.length === 0;
    return {
      value: String(row[source.value] ?? row.value ?? row.key ?? row.id),
      title: String(row[source.title] ?? row.title ?? row.name ?? ''),
      isLeaf,
      children,
    };
  });
}

function withChildren(choices: readonly ReferenceChoice[], value: string, children: readonly ReferenceChoice[]): ReferenceChoice[] {
  return choices.map((choice) =>
    choice.value === value ? { ...choice, children, isLeaf: children.length === 0 } : { ...choice, children: withChildren(choice.children, value, children) },
  );
}

/** Returns the path to a choice: its ancestors and itself; empty if there is none. */
export function pathTo(choices: readonly ReferenceChoice[], value: string): ReferenceChoice[] {
  for (const choice of choices) {
    if (choice.value === value) return [choice];
    const path = pathTo(choice.children, value);
    if (path.length > 0) return [choice, ...path];
  }
  return [];
}

/** Collects titles by value, at any depth. */
export const titlesOf = (choices: readonly ReferenceChoice[]): Map<string, string> =>
  new Map(choices.flatMap(({ value, title, children }): [string, string][] => [[value, title], ...titlesOf(children)]));

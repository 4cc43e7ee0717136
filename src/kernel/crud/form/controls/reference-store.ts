import { debounce, map, of, Subject, Subscription, switchMap, timer } from 'rxjs';
import { Unsafe } from 'typebox';
import { get, type ListInput } from '#shared/contract';
import type { ReferenceSource } from '#shared/fields';
import type { Http } from '../../../http/http.ts';
import { Store } from '../../../store.ts';
import { asking } from '../../asking.ts';

/** A row to pick. */
export interface ReferenceChoice {
  readonly value: string;
  readonly title: string;
  /** Nothing below it, as far as the answer tells. */
  readonly isLeaf: boolean;
  readonly children: readonly ReferenceChoice[];
}

/** What a picker knows of the rows behind it. */
export interface ReferenceState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly choices: readonly ReferenceChoice[];
  readonly hasMore: boolean;
}

interface Asking {
  readonly typed: string;
  readonly page: number;
  readonly waits: boolean;
}

type Given = Readonly<Record<string, unknown>>;
const size = 20;

/** The rows behind a picker: searched while the operator types, page after page, or branch after branch. */
export class ReferenceStore extends Store<ReferenceState> {
  /** Ends all that is under way. */
  readonly lifetime = new Subscription();
  private readonly asked$ = new Subject<Asking>();
  private last: Asking = { typed: '', page: 0, waits: false };

  constructor(
    private readonly http: Http,
    private readonly source: ReferenceSource,
    private readonly given: Given,
  ) {
    super({ status: 'loading', choices: [], hasMore: false });
    const answering = this.asked$.pipe(
      debounce(({ waits }) => (waits ? timer(250) : of(0))),
      switchMap((asking) => this.ask(asking).pipe(map((answer) => ({ asking, answer })))),
    );
    this.lifetime.add(answering.subscribe(({ asking, answer }) => this.show(asking, answer)));
  }

  /** Looks for what the operator types; the answer itself is looked through where the call takes no search. */
  search(typed: string): void {
    if (this.source.search || this.last.page === 0) this.next({ typed, page: 1, waits: typed !== this.last.typed && this.last.page > 0 });
  }

  more(): void {
    if (this.state.hasMore && this.state.status === 'ready') this.next({ ...this.last, page: this.last.page + 1, waits: false });
  }

  /** The rows below one of a lazy tree. */
  async below(value: string): Promise<readonly ReferenceChoice[]> {
    const { branch = 'parentId', shape } = this.source;
    const answer = await this.http.send(choicesCall(this.source), { ...this.input(), [branch]: value } as ListInput, { quiet: true });
    const below = answer.success ? choicesOf(answer.data, this.source) : [];
    if (shape === 'lazy-tree') this.update((state) => void Object.assign(state, { choices: grown(state.choices as readonly ReferenceChoice[], value, below) }));
    return below;
  }

  private next(asking: Asking): void {
    this.last = asking;
    this.update((state) => void Object.assign(state, { status: 'loading' }));
    this.asked$.next(asking);
  }

  private input(): Given {
    return { ...this.source.input, ...this.given };
  }

  private ask({ typed, page }: Asking) {
    const { search, paged } = this.source;
    const input = { ...this.input(), ...(search && typed ? { [search]: typed } : {}), ...(paged ? { current: page, size } : {}) };
    return asking(this.http, choicesCall(this.source), input as ListInput, { quiet: true });
  }

  private show({ page }: Asking, answer: { readonly success: boolean; readonly data?: unknown }): void {
    if (!answer.success) {
      this.update((state) => void Object.assign(state, { status: 'failed' }));
      return;
    }
    const { total = 0 } = (answer.data ?? {}) as { total?: number };
    const found = choicesOf(answer.data, this.source);
    const choices = page > 1 ? [...this.state.choices, ...found] : found;
    const hasMore = this.source.paged === true && found.length > 0 && page * size < total;
    this.update((state) => void Object.assign(state, { status: 'ready', choices, hasMore }));
  }
}

/** The call behind a picker. */
export const choicesCall = ({ path }: Pick<ReferenceSource, 'path'>) =>
  get(path, { title: ['选项', 'Choices'], who: 'signedIn', input: Unsafe<ListInput>({}), reply: Unsafe<unknown>({}) });

type Answered = Readonly<Record<string, unknown>> & { readonly children?: readonly Answered[]; readonly hasChildren?: unknown };

/** The rows of an answer as they are picked. */
export function choicesOf(data: unknown, source: ReferenceSource): ReferenceChoice[] {
  const rows = (Array.isArray(data) ? data : ((data as { records?: unknown } | null)?.records ?? [])) as readonly Answered[];
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

function grown(choices: readonly ReferenceChoice[], value: string, children: readonly ReferenceChoice[]): ReferenceChoice[] {
  return choices.map((choice) =>
    choice.value === value ? { ...choice, children, isLeaf: children.length === 0 } : { ...choice, children: grown(choice.children, value, children) },
  );
}

/** Titles by value, at whatever depth. */
export const titlesOf = (choices: readonly ReferenceChoice[]): Map<string, string> =>
  new Map(choices.flatMap(({ value, title, children }): [string, string][] => [[value, title], ...titlesOf(children)]));

import type { ListInput } from '#shared/contract';
import type { ReferenceSource } from '#shared/fields';
import { Store } from '../../base/store/store.ts';
import type { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { choicesCall, choicesOf, titlesOf } from './reference-store.ts';

/** Title of a row that is referenced by its value; `unread` when the request failed. */
export type ReferenceTitle = { readonly status: 'awaited' | 'gone' | 'unread' } | { readonly status: 'known'; readonly title: string };

type Titles = Readonly<Record<string, ReferenceTitle>>;

const largestPage = 200;
const freshFor = 30_000;
const ofHttp = new WeakMap<Http, ReferenceTitles>();

/** Titles of referenced rows: values that are needed in one tick are fetched together, and again when they are needed later. */
export class ReferenceTitles extends Store<Titles> {
  private readonly asked = new Map<string, number>();
  private readonly wanted = new Map<ReferenceSource, Set<string>>();

  /** Returns the titles that live as long as this HTTP client. */
  static of(http: Http): ReferenceTitles {
    const titles = ofHttp.get(http) ?? new ReferenceTitles(http);
    ofHttp.set(http, titles);
    return titles;
  }

  private constructor(private readonly http: Http) {
    super({});
  }

  want(source: ReferenceSource, value: string): void {
    const key = keyOf(source, value);
    if (Date.now() - (this.asked.get(key) ?? 0) < freshFor) return;
    this.asked.set(key, Date.now());
    if (this.wanted.size === 0) queueMicrotask(() => this.ask());
    this.wanted.set(source, (this.wanted.get(source) ?? new Set()).add(value));
  }

  private ask(): void {
    for (const [source, values] of this.wanted) for (const some of slices([...values])) this.askFor(source, some);
    this.wanted.clear();
  }

  private askFor(source: ReferenceSource, values: readonly string[]): void {
    const lookup = lookupOf(source);
    if (!lookup && !isWhole(source)) {
      this.learn(source, values, () => ({ status: 'unread' }));
      return;
    }
    const selected = lookup ? { [lookup]: values.join(','), ...(source.paged ? { current: 1, size: largestPage } : {}) } : {};
    observeRequest(this.http, choicesCall(source), { ...source.input, ...selected } as ListInput, { quiet: true }).subscribe((answer) => {
      const found = answer.success ? titlesOf(choicesOf(answer.data, source)) : undefined;
      this.learn(source, values, (value) => {
        const title = found?.get(value);
        return title ? { status: 'known', title } : { status: found ? 'gone' : 'unread' };
      });
    });
  }

  private learn(source: ReferenceSource, values: readonly string[], titleOf: (value: string) => ReferenceTitle): void {
    this.update((titles) => void Object.assign(titles, Object.fromEntries(values.map((value) => [keyOf(source, value), titleOf(value)]))));
  }
}

/** Returns the parameter that takes several values: every list by id has one. */
const lookupOf = ({ lookup, shape, paged, value }: ReferenceSource) => lookup ?? (shape === 'rows' && paged && value === 'id' ? 'ids' : undefined);

/** True when the call replies with all rows. */
const isWhole = ({ shape, paged }: ReferenceSource) => shape === 'tree' || (shape === 'rows' && !paged);

/** Returns the state of one value's title. */
export const titleIn = (titles: Titles, source: ReferenceSource, value: string): ReferenceTitle => titles[keyOf(source, value)] ?? { status: 'awaited' };

const keyOf = ({ path, input }: ReferenceSource, value: string) => `${path} ${JSON.stringify(input ?? {})} ${value}`;

function slices(values: readonly string[]): string[][] {
  const count = Math.ceil(values.length / largestPage);
  return Array.from({ length: count }, (_, index) => values.slice(index * largestPage, (index + 1) * largestPage));
}

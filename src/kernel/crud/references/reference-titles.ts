import { useEffect } from 'react';
import type { ListInput, ReplyOf } from '#shared/contract';
import { lookupInput, type ReferenceSource } from '#shared/fields';
import { archivedNames } from '#shared/record-uses';
import { archivedName } from '#shared/row-states';
import type { Language } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { Store } from '../../base/store/store.ts';
import { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { choicesCall, choicesOf, titlesOf } from './reference-store.ts';

/** Title of a row that is referenced by its value; `failed` if it could not be read. */
export type ReferenceTitle =
  | { readonly status: 'loading' | 'missing' | 'failed' }
  | { readonly status: 'ready'; readonly title: string; readonly isArchived?: true };

type TitlesByKey = Readonly<Record<string, ReferenceTitle>>;

const maxBatchSize = 200;
const freshMs = 30_000;
const instances = new WeakMap<Http, Map<Language, ReferenceTitles>>();

/** Titles of referenced rows. Values that are requested in one tick are fetched together; a title is fetched again if it is requested after `freshMs`. */
export class ReferenceTitles extends Store<TitlesByKey> {
  private readonly requestedAt = new Map<string, number>();
  private readonly pending = new Map<ReferenceSource, Set<string>>();
  private readonly pendingArchivedChecks = new Map<ReferenceSource, Set<string>>();

  /** Returns the instance for the replies that this HTTP client gets in a language. */
  static of(http: Http, language: Language): ReferenceTitles {
    const byLanguage = instances.get(http) ?? new Map<Language, ReferenceTitles>();
    const titles = byLanguage.get(language) ?? new ReferenceTitles(http);
    instances.set(http, byLanguage.set(language, titles));
    return titles;
  }

  private constructor(private readonly http: Http) {
    super({});
  }

  /** Requests the title of a value. With `hasStoredTitle` the row contains the title already, and the server is only asked whether the referenced row is archived. */
  load(source: ReferenceSource, value: string, hasStoredTitle = false): void {
    const key = `${hasStoredTitle} ${keyOf(source, value)}`;
    if (Date.now() - (this.requestedAt.get(key) ?? 0) < freshMs) return;
    this.requestedAt.set(key, Date.now());
    const pending = hasStoredTitle ? this.pendingArchivedChecks : this.pending;
    if (this.pending.size + this.pendingArchivedChecks.size === 0) queueMicrotask(() => this.requestAll());
    pending.set(source, (pending.get(source) ?? new Set()).add(value));
  }

  private requestAll(): void {
    for (const [source, values] of this.pending) for (const batch of batches([...values])) this.request(source, batch);
    for (const [source, values] of this.pendingArchivedChecks) for (const batch of batches([...values])) this.requestArchived(source, batch);
    this.pending.clear();
    this.pendingArchivedChecks.clear();
  }

  private request(source: ReferenceSource, values: readonly string[]): void {
    const lookup = lookupOf(source);
    if (!lookup && !answersAllRows(source)) {
      this.record(source, values, () => ({ status: 'failed' }));
      return;
    }
    const selected = lookup ? { [lookup]: values.join(','), ...(source.paged ? { current: 1, size: maxBatchSize } : {}) } : {};
    observeRequest(this.http, choicesCall(source), { ...lookupInput(source), ...selected } as ListInput, { quiet: true }).subscribe((answer) => {
      const found = answer.success ? titlesOf(choicesOf(answer.data, source)) : undefined;
      const missing = values.filter((value) => !found?.get(value));
      this.record(
        source,
        values.filter((value) => found?.get(value)),
        (value) => ({ status: 'ready', title: found?.get(value) ?? '' }),
      );
      if (missing.length > 0) this.requestArchived(source, missing, found ? 'missing' : 'failed');
    });
  }

  /** Looks for values among archived rows. The others get `status`; without one, only those that were archived before are reset. */
  private requestArchived(source: ReferenceSource, values: readonly string[], status?: 'missing' | 'failed'): void {
    const { entity, entityField: field = 'id', title } = source;
    if (entity === undefined) {
      if (status) this.record(source, values, () => ({ status }));
      return;
    }
    const input = { entity, field, title, values: values.join(',') };
    observeRequest(this.http, archivedNames, input, { quiet: true }).subscribe((answer) => {
      const names = new Map((answer.success ? (answer.data as ReplyOf<typeof archivedNames>) : []).map((row) => [row.value, row.title]));
      const others = values.filter((value) => !names.has(value));
      const outdated = others.filter((value) => 'isArchived' in titleIn(this.state, source, value));
      this.record(source, status ? others : outdated, () => ({ status: status ?? 'loading' }));
      this.record(source, [...names.keys()], (value) => ({ status: 'ready', title: names.get(value) ?? '', isArchived: true }));
    });
  }

  private record(source: ReferenceSource, values: readonly string[], titleOf: (value: string) => ReferenceTitle): void {
    this.set(Object.fromEntries(values.map((value) => [keyOf(source, value), titleOf(value)])));
  }
}

/** Returns the parameter that takes several values; a list by id always has one. */
const lookupOf = ({ lookup, shape, paged, value }: ReferenceSource) => lookup ?? (shape === 'rows' && paged && value === 'id' ? 'ids' : undefined);

/** True when the call replies with all rows. */
const answersAllRows = ({ shape, paged }: ReferenceSource) => shape === 'tree' || (shape === 'rows' && !paged);

/** Returns the state of one value's title. */
export const titleIn = (titles: TitlesByKey, source: ReferenceSource, value: string): ReferenceTitle => titles[keyOf(source, value)] ?? { status: 'loading' };

const keyOf = ({ path, input }: ReferenceSource, value: string) => `${path} ${JSON.stringify(input ?? {})} ${value}`;

function batches(values: readonly string[]): string[][] {
  const count = Math.ceil(values.length / maxBatchSize);
  return Array.from({ length: count }, (_, index) => values.slice(index * maxBatchSize, (index + 1) * maxBatchSize));
}

/** Returns the titles in the current language. */
function useReferenceTitles(): ReferenceTitles {
  const locale = useService(Locale);
  return ReferenceTitles.of(useService(Http), useStream(locale.language$, locale.language));
}

/** Returns the name that a row contains for its reference, marked if the referenced row is archived. */
export function useTitleWithStatus(source: ReferenceSource | undefined, value: string, name: string): string {
  const t = useTranslation();
  const titles = useReferenceTitles();
  const state = useStore(titles, (titleState) => titleState);
  const title = source && titleIn(state, source, value);
  useEffect(() => {
    if (source?.entity !== undefined) titles.load(source, value, true);
  }, [titles, source, value]);
  return title?.status === 'ready' && title.isArchived ? t(archivedName, { name }) : name;
}

/** Label of a value that references a row. */
export interface ReferenceLabel {
  readonly text: string;
  readonly status: ReferenceTitle['status'];
}

/** Returns a function that returns the label of a referenced row. A new `refreshKey` fetches titles again that may have changed. */
export function useReferenceLabels(source: ReferenceSource | undefined, values: readonly string[], refreshKey?: unknown): (value: string) => ReferenceLabel {
  const t = useTranslation();
  const titles = useReferenceTitles();
  const titleState = useStore(titles, (state) => state);
  const joinedValues = values.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refreshKey loads the titles again
  useEffect(() => {
    if (source) for (const value of joinedValues.split(',').filter(Boolean)) titles.load(source, value);
  }, [titles, source, joinedValues, refreshKey]);

  return (value) => {
    const title = source ? titleIn(titleState, source, value) : { status: 'failed' as const };
    const text =
      title.status === 'ready'
        ? title.isArchived
          ? t(archivedName, { name: title.title })
          : title.title
        : title.status === 'failed'
          ? value
          : t(`crud.reference.${title.status}`);
    return { text, status: title.status };
  };
}

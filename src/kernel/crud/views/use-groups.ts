import { useRef } from 'react';
import { maxRowGroups, type Page, type RowGroup } from '#shared/contract';
import type { Tone } from '#shared/fields';
import { useStore } from '../../base/react/use-store.ts';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { viewMessages } from './view-messages.ts';

/** Rows that have one value of a field. */
export interface ValueGroup {
  readonly key: string;
  /** Value as the field stores it; null for rows without one. */
  readonly value: string | number | null;
  readonly title: string;
  readonly tone: Tone | undefined;
  readonly count: number;
}

/** Counts how often the rows of a list have been loaded, so that what depends on them is loaded again. */
export function useLoadCount(store: CrudStore): number {
  const rows = useStore(store, (state) => state.rows);
  const seen = useRef({ rows, count: 0 });
  if (seen.current.rows !== rows) seen.current = { rows, count: seen.current.count + 1 };
  return seen.current.count;
}

/**
 * Returns the groups of a list by the values of a field, with the counts of one request; values that no row has are included where `all` says so.
 * `limit` is the note for a field with more values than one request counts.
 */
export function useGroups(store: CrudStore, crud: CrudCalls, by: ScreenField, all: boolean) {
  const t = useTranslation();
  useStore(store, (state) => state.query);
  const refetchKey = useLoadCount(store);
  const input = { ...store.filterInput(), current: 1, size: 0, groups: by.name };
  const { data, error, refetch } = useQuery(crud.list, input, { quiet: true, keepPreviousData: true, refetchKey });
  const dictionary = useDictionary(by.traits.dictionary);
  const { groups: counted, total = 0 } = (data as Page<Row> | undefined) ?? {};
  const isLimited = counted !== undefined && counted.length >= maxRowGroups && counted.reduce((sum, { count }) => sum + count, 0) < total;
  const known: Omit<ValueGroup, 'count' | 'key'>[] = by.traits.dictionary
    ? dictionary.map(({ key, title, tone }) => ({ value: key, title, tone }))
    : (by.traits.options ?? []).map(([value, title]) => ({ value, title: t(title), tone: by.traits.tones?.[String(value)] }));
  const countOf = (value: unknown) => counted?.find((group) => group.value === String(value))?.count ?? 0;
  const unknown = (counted ?? []).filter(({ value }) => !known.some((group) => String(group.value) === value));
  const groups: ValueGroup[] = [
    ...known.map((group) => ({ ...group, key: String(group.value), count: countOf(group.value) })),
    ...unknown.map(({ value, count }: RowGroup) => ({ key: value ?? '', value, title: value ?? t(viewMessages.none), tone: undefined, count })),
  ];
  const limit = isLimited ? t(viewMessages.limitedGroups, { total, count: maxRowGroups }) : undefined;
  return { groups: all ? groups : groups.filter(({ count }) => count > 0), limit, isPending: counted === undefined, error, refetch };
}

/** Returns the filter for the rows of one group. */
export const groupFilter = ({ name }: ScreenField, { value }: ValueGroup): Readonly<Record<string, string | number>> =>
  value === null ? { [`${name}_null`]: 'true' } : { [`${name}_equal`]: value };

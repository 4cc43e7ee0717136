import type { ReactNode } from 'react';
import { type Match, matchOf } from './matching.ts';

/** One line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  readonly icon: ReactNode;
  /** Secondary text: the group of the entry, or what distinguishes entries of the same title. */
  readonly detail?: string | undefined;
  /** Other names that the search matches, such as the title in the other language. */
  readonly aliases?: readonly string[];
  /** True for the current setting. */
  readonly isOn?: boolean;
  /** Address of the entry, which can be opened in another window. */
  readonly location?: string;
  /** Actions on the entry; the first opens it. */
  readonly actions?: readonly PaletteEntry[];
  readonly onSelect: () => void;
}

/** Entries of one kind. */
export interface PaletteGroup {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
  /** True when the entries are already the results of a search for the typed text. */
  readonly isFound?: boolean;
  /** Text below the entries. */
  readonly note?: string | undefined;
}

/** A matching entry with the matching part of its title. */
export interface Hit {
  readonly entry: PaletteEntry;
  readonly range?: Match['range'];
}

/** Matching entries of one kind, the best first. */
export interface Section {
  readonly key: string;
  readonly title: string;
  readonly hits: readonly Hit[];
  readonly note?: string | undefined;
}

const maxHits = 8;
/** Rank of entries that a search on the server has found. */
const foundRank = 6;

/** Groups the entries that match the typed text; the section with the best match comes first. Without text all entries are returned in their order. */
export function sectionsOf(groups: readonly PaletteGroup[], typed: string): Section[] {
  if (typed.trim() === '') return groups.map(({ entries, ...group }) => ({ ...group, hits: entries.map((entry) => ({ entry })) })).filter(hasHits);
  return groups
    .map((group) => ranked(group, typed))
    .filter(({ section }) => hasHits(section))
    .sort((one, other) => one.best - other.best)
    .map(({ section }) => section);
}

const hasHits = ({ hits }: Section) => hits.length > 0;

function ranked({ key, title, entries, isFound = false, note }: PaletteGroup, typed: string) {
  const matched = entries
    .map((entry) => ({ entry, match: matchOf(entry.title, typed, entry.aliases) ?? (isFound ? { rank: foundRank } : undefined) }))
    .filter((hit): hit is { entry: PaletteEntry; match: Match } => hit.match !== undefined)
    .sort((one, other) => one.match.rank - other.match.rank)
    .slice(0, maxHits);
  const hits = matched.map(({ entry, match }): Hit => ({ entry, ...(match.range ? { range: match.range } : {}) }));
  return { section: { key, title, hits, note }, best: matched[0]?.match.rank ?? foundRank };
}

/** Removes repeated locations; the first one stays. */
export function withoutRepeats(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const seenLocations = new Set<string>();
  return groups.map((group) => {
    const entries = group.entries.filter(({ location }) => location === undefined || !seenLocations.has(location));
    for (const { location } of entries) if (location !== undefined) seenLocations.add(location);
    return { ...group, entries };
  });
}

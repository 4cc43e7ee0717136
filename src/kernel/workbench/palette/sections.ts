import type { PaletteEntry, PaletteGroup } from './entry.ts';
import { type Match, matchOf } from './matching.ts';

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
}

const limit = 8;
const found = 6;

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

function ranked({ key, title, entries, isFound = false }: PaletteGroup, typed: string) {
  const matched = entries
    .map((entry) => ({ entry, match: matchOf(entry.title, typed, entry.otherNames) ?? (isFound ? { rank: found } : undefined) }))
    .filter((hit): hit is { entry: PaletteEntry; match: Match } => hit.match !== undefined)
    .sort((one, other) => one.match.rank - other.match.rank)
    .slice(0, limit);
  const hits = matched.map(({ entry, match }): Hit => ({ entry, ...(match.range ? { range: match.range } : {}) }));
  return { section: { key, title, hits }, best: isFound ? found : (matched[0]?.match.rank ?? found) };
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

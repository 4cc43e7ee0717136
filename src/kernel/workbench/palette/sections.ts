import Pinyin from 'pinyin-match';
import type { ReactNode } from 'react';

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
export interface PaletteSection {
  readonly key: string;
  readonly title: string;
  readonly hits: readonly Hit[];
  readonly note?: string | undefined;
}

const maxHits = 8;
/** Rank of entries that a search on the server has found. */
const foundRank = 6;

/** Groups the entries that match the typed text; the section with the best match comes first. Without text all entries are returned in their order. */
export function sectionsOf(groups: readonly PaletteGroup[], typed: string): PaletteSection[] {
  if (typed.trim() === '') return groups.map(({ entries, ...group }) => ({ ...group, hits: entries.map((entry) => ({ entry })) })).filter(hasHits);
  return groups
    .map((group) => ranked(group, typed))
    .filter(({ section }) => hasHits(section))
    .sort((one, other) => one.best - other.best)
    .map(({ section }) => section);
}

const hasHits = ({ hits }: PaletteSection) => hits.length > 0;

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

/** Quality of a match, smaller is better, and the matching part of the name: `[from, to)`. */
interface Match {
  readonly rank: number;
  readonly range?: readonly [from: number, to: number];
}

const ranks = { prefix: 0, word: 1, pinyinPrefix: 2, pinyin: 3, within: 4, otherName: 5 } as const;
const hanCharacter = /\p{Script=Han}/u;
const wordEnd = /[\p{L}\p{N}]/u;

/** Ranks names: those that begin with the typed text come first, then words of them, pinyin and initials of Chinese names, names that contain it, and other names. */
export function matchOf(title: string, typed: string, aliases: readonly string[] = []): Match | undefined {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return { rank: ranks.prefix };
  const literal = literalMatch(title, needle);
  if (literal && literal.rank < ranks.pinyinPrefix) return literal;
  const found = pinyinMatch(title, needle) ?? literal;
  if (found) return found;
  return aliases.some((name) => literalMatch(name, needle) ?? pinyinMatch(name, needle)) ? { rank: ranks.otherName } : undefined;
}

function literalMatch(title: string, needle: string): Match | undefined {
  const name = title.toLowerCase();
  const at = name.indexOf(needle);
  if (at < 0) return undefined;
  if (at === 0) return { rank: ranks.prefix, range: [0, needle.length] };
  const wordStarts = [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const word = wordEnd.test(needle) ? wordStarts.find((start) => name.startsWith(needle, start)) : undefined;
  return word === undefined ? { rank: ranks.within, range: [at, at + needle.length] } : { rank: ranks.word, range: [word, word + needle.length] };
}

/** Matches by pronunciation: whole syllables, their initials, or both mixed; a character with several readings has each. */
function pinyinMatch(title: string, needle: string): Match | undefined {
  if (!hanCharacter.test(title) || hanCharacter.test(needle)) return undefined;
  const found = Pinyin.match(title, needle);
  return found ? { rank: found[0] === 0 ? ranks.pinyinPrefix : ranks.pinyin, range: [found[0], found[1] + 1] } : undefined;
}

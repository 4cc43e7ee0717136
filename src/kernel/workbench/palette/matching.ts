import Pinyin from 'pinyin-match';

/** Quality of a match, smaller is better, and the matching part of the name: `[from, to)`. */
export interface Match {
  readonly rank: number;
  readonly range?: readonly [from: number, to: number];
}

const ranks = { prefix: 0, word: 1, spokenPrefix: 2, spoken: 3, within: 4, otherName: 5 } as const;
const hanOf = /\p{Script=Han}/u;
const wordEnd = /[\p{L}\p{N}]/u;

/** Ranks names: those that begin with the typed text come first, then words of them, pinyin and initials of Chinese names, names that contain it, and other names. */
export function matchOf(title: string, typed: string, otherNames: readonly string[] = []): Match | undefined {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return { rank: ranks.prefix };
  const written = writtenMatch(title, needle);
  if (written && written.rank < ranks.spokenPrefix) return written;
  const found = spokenMatch(title, needle) ?? written;
  if (found) return found;
  return otherNames.some((name) => writtenMatch(name, needle) ?? spokenMatch(name, needle)) ? { rank: ranks.otherName } : undefined;
}

function writtenMatch(title: string, wanted: string): Match | undefined {
  const name = title.toLowerCase();
  const at = name.indexOf(wanted);
  if (at < 0) return undefined;
  if (at === 0) return { rank: ranks.prefix, range: [0, wanted.length] };
  const places = [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const word = wordEnd.test(wanted) ? places.find((start) => name.startsWith(wanted, start)) : undefined;
  return word === undefined ? { rank: ranks.within, range: [at, at + wanted.length] } : { rank: ranks.word, range: [word, word + wanted.length] };
}

/** Matches by pronunciation: whole syllables, their initials, or both mixed; a character with several readings has each. */
function spokenMatch(title: string, wanted: string): Match | undefined {
  if (!hanOf.test(title) || hanOf.test(wanted)) return undefined;
  const found = Pinyin.match(title, wanted);
  return found ? { rank: found[0] === 0 ? ranks.spokenPrefix : ranks.spoken, range: [found[0], found[1] + 1] } : undefined;
}

import Pinyin from 'pinyin-match';

/** Quality of a match, smaller is better, and the matching part of the name: `[from, to)`. */
export interface Match {
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
  const written = literalMatch(title, needle);
  if (written && written.rank < ranks.pinyinPrefix) return written;
  const found = pinyinMatch(title, needle) ?? written;
  if (found) return found;
  return aliases.some((name) => literalMatch(name, needle) ?? pinyinMatch(name, needle)) ? { rank: ranks.otherName } : undefined;
}

function literalMatch(title: string, wanted: string): Match | undefined {
  const name = title.toLowerCase();
  const at = name.indexOf(wanted);
  if (at < 0) return undefined;
  if (at === 0) return { rank: ranks.prefix, range: [0, wanted.length] };
  const wordStarts = [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  const word = wordEnd.test(wanted) ? wordStarts.find((start) => name.startsWith(wanted, start)) : undefined;
  return word === undefined ? { rank: ranks.within, range: [at, at + wanted.length] } : { rank: ranks.word, range: [word, word + wanted.length] };
}

/** Matches by pronunciation: whole syllables, their initials, or both mixed; a character with several readings has each. */
function pinyinMatch(title: string, wanted: string): Match | undefined {
  if (!hanCharacter.test(title) || hanCharacter.test(wanted)) return undefined;
  const found = Pinyin.match(title, wanted);
  return found ? { rank: found[0] === 0 ? ranks.pinyinPrefix : ranks.pinyin, range: [found[0], found[1] + 1] } : undefined;
}

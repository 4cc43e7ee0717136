import { hash } from 'node:crypto';
import { commonWords } from '#shared/common-passwords';
import { commonAffixes } from '#shared/password-rules';

/** Computes the md5 of a text as hex. */
export const digestOf = (text: string): string => hash('md5', text);
/** Writes the first letter in upper case. */
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const wordsAtOnce = 8;

/** Computes the digests of about 150,000 common passwords, a few words in each turn of the event loop. */
export async function makeCommonDigests(): Promise<ReadonlySet<string>> {
  const words = ['', ...'abcqz', 'aa', 'qq', ...commonWords].flatMap((word) => [word, capitalised(word)]);
  const digests = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (const affix of commonAffixes) digests.add(digestOf(word + affix));
    if (at % wordsAtOnce === 0) await new Promise(setImmediate);
  }
  return digests;
}

import { type SQL, sql } from 'drizzle-orm';

/** Lengths to which Chinese and other terms are cut in the index. */
export const maxHanTerm = 12;
const maxTerm = 40;
const lastCharacter = '\u{10FFFF}';

/** Prepares typed text as `searchable_text` prepares values, without the spaces. */
export const searchableText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s!-/:-@[-`{-~、。“”‘’《》【】·¥]+/g, '');

/** Cuts prepared text to the length of the terms in the index. */
export const termPrefix = (text: string): string => text.slice(0, /\p{Script=Han}/u.test(text[0] ?? '') ? maxHanTerm : maxTerm);

/** The range of terms that begin with the prepared text. */
export function hasPrefix(text: string): SQL {
  const prefix = termPrefix(text);
  return sql`term >= ${prefix} and term < ${prefix + lastCharacter}`;
}

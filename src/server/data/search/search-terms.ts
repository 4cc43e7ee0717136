import { type SQL, sql } from 'drizzle-orm';

/** Length to which terms that begin with a Chinese character are cut in the index. */
export const maxHanTerm = 12;
/** Length to which other terms are cut. */
const maxTerm = 40;
/** Sorts after every other character. */
const lastCharacter = '\u{10FFFF}';

/** Prepares typed text in the same way as the function `searchable_text` of the database prepares values, but without spaces. */
export const searchableText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s!-/:-@[-`{-~、。“”‘’《》【】·¥]+/g, '');

/** Cuts prepared text to the length of the terms in the index. */
export const termPrefix = (text: string): string => text.slice(0, /\p{Script=Han}/u.test(text[0] ?? '') ? maxHanTerm : maxTerm);

/** Builds the condition for terms that begin with the prepared text. */
export function hasPrefix(text: string): SQL {
  const prefix = termPrefix(text);
  return sql`term >= ${prefix} and term < ${prefix + lastCharacter}`;
}

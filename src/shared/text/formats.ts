import { isCron } from './cron.ts';

const largestId = '9223372036854775807';

/** Formats of the wire that need more than a pattern; a valid value can be stored in the database. Console and server share them. */
export const wireFormats: Readonly<Record<string, (text: string) => boolean>> = {
  int64: (text) => /^\d{1,19}$/.test(text) && (text.length < largestId.length || text <= largestId),
  'wire-date-time': isWireDateTime,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isWireDateTime(`${text} 00:00:00`),
  'wire-time': (text) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text),
  uri: isUrl,
  link: (text) => isUrl(text) || /^\/(?![/\\])\S*$/.test(text),
  email: (text) => /^[^\s@"'<>(),:;[\]\\]+@[^\s@"'<>(),:;[\]\\.]+(\.[^\s@"'<>(),:;[\]\\.]+)+$/.test(text),
  // Eleven digits that are not a landline with its area code.
  phone: (text) => /^\d{11}$/.test(text) && !/^0\d{2,3}\d{7,8}$/.test(text),
  json: isJson,
  cron: isCron,
};

/** Checks that a text is an existing date and time in wire format; `2026-02-30 00:00:00` is not. */
export function isWireDateTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) || text.startsWith('0000')) return false;
  const utc = new Date(`${text.replace(' ', 'T')}Z`);
  return !Number.isNaN(utc.getTime()) && utc.toISOString().slice(0, 19).replace('T', ' ') === text;
}

function isUrl(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text)) return false;
  try {
    return new URL(text).hostname !== '';
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Beginning of a formula. A sign alone, such as a dash that stands for "none", starts none. */
const formula = /^[=+\-@\t\r\n＝＋－＠]./s;

/** Prefixes a text that spreadsheets would run as a formula. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

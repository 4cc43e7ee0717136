/** Ids of Excel's built-in number formats for dates and times. */
const builtInDateFormats: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

/** True if cells of this number format show dates or times. `code` is the format's text, for formats that are not built in. */
export function isDateFormat(id: number, code?: string): boolean {
  if (code === undefined) return builtInDateFormats.has(id);
  // Quoted and escaped characters are literal; brackets contain colours, locales and conditions, or elapsed time such as [h].
  const symbols = code.replace(/"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(symbols.replace(/general/gi, ''));
}

const dayMs = 24 * 60 * 60 * 1000;
/** Serial numbers of 1970-01-01 in the two date systems of Excel. */
const unixEpochSerial = { from1900: 25_569, from1904: 24_107 } as const;
/** Serial number from which Excel counts real days: it treats 1900 as a leap year. */
const firstRealSerial = 61;

/** Converts a date, whose UTC parts are shown, to a serial number; undefined for a date that Excel cannot show or counts wrongly. */
export function serialOf(date: Date): number | undefined {
  const serial = date.getTime() / dayMs + unixEpochSerial.from1900;
  return serial < firstRealSerial ? undefined : serial;
}

/** Converts a serial number to a date whose UTC parts are those that Excel shows. Numbers below one are times without a day. */
export function dateOfSerial(serial: number, is1904: boolean): Date {
  if (is1904) return new Date(Math.round((serial - unixEpochSerial.from1904) * dayMs));
  const day = serial >= 1 && serial < firstRealSerial - 1 ? serial + 1 : serial;
  return new Date(Math.round((day - unixEpochSerial.from1900) * dayMs));
}

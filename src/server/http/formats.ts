const largestId = '9223372036854775807';

const wireFormats = {
  int64: (text: string) => text.length < largestId.length || (text.length === largestId.length && text <= largestId),
  'wire-date-time': (text: string) => isMoment(text),
};

/** Teaches a validator the formats of the wire that say more than their pattern: what passes can be kept in the database. */
export function addWireFormats(validator: { addFormat(name: string, format: { type: 'string'; validate: (text: string) => boolean }): unknown }): void {
  for (const [name, validate] of Object.entries(wireFormats)) validator.addFormat(name, { type: 'string', validate });
}

/** A day that exists at a time that exists: `2026-02-30 00:00:00` is none. */
function isMoment(text: string): boolean {
  const iso = `${text.replace(' ', 'T')}Z`;
  const moment = new Date(iso);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 19) === iso.slice(0, 19) && moment.getUTCFullYear() > 0;
}

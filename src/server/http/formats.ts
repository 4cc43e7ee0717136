import { wireFormats } from '#shared/formats';

/** Teaches a validator the formats of the wire that say more than their pattern: what passes can be kept in the database. */
export function addWireFormats(validator: { addFormat(name: string, format: { type: 'string'; validate: (text: string) => boolean }): unknown }): void {
  for (const [name, validate] of Object.entries(wireFormats)) validator.addFormat(name, { type: 'string', validate });
}

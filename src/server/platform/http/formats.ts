import { wireFormats } from '#shared/formats';

/** Adds the wire formats that check more than a pattern to a validator: valid values can be stored. */
export function addWireFormats(validator: { addFormat(name: string, format: { type: 'string'; validate: (text: string) => boolean }): unknown }): void {
  for (const [name, validate] of Object.entries(wireFormats)) validator.addFormat(name, { type: 'string', validate });
}

import type { Call } from '#shared/contract';
import { isEmpty } from '#shared/text';
import type { WireBody } from './transport.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a call's input travels: a GET in the query without its empty values, a bare POST (the token endpoint) as a form, one with a file as parts, any other POST as JSON. */
export function placed(call: Call, input: unknown, file?: File): { query?: Record<string, string>; body?: WireBody } {
  const fields = (input ?? {}) as Fields;
  if (file) return { body: { file, fields: texts(fields) } };
  if (call.method === 'GET') return { query: texts(fields) };
  return { body: call.bare ? { form: texts(fields) } : { json: fields } };
}

function texts(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

/** The deployment's public client: an id and no secret, which a browser could not keep. */
export const clientHeader = (clientId: string): string => `Basic ${btoa(`${clientId}:`)}`;

/** A name of a write nobody else uses; `randomUUID` exists on secure origins only. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

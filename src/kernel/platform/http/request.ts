import type { FieldValues } from '#shared/condition';
import type { Call } from '#shared/contract';
import type { Manifest } from '#shared/manifest';
import { isEmpty } from '#shared/text';
import type { WireBody } from './transport.ts';

/** Encodes the input of a call: a GET as query parameters without empty values, a bare POST (the token endpoint) as a form, a file as multipart, any other POST as JSON. */
export function requestParts(call: Call, input: unknown, file?: File): { query?: Record<string, string>; body?: WireBody } {
  const fields = (input ?? {}) as FieldValues;
  if (file) return { body: { file, fields: asStrings(fields) } };
  if (call.method === 'GET') return { query: asStrings(fields) };
  return { body: call.bare ? { form: asStrings(fields) } : { json: fields } };
}

function asStrings(fields: FieldValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

/** Authorization header of the public client: an id without a secret, which a browser could not protect. Empty where the deployment turns it off. */
export const clientHeadersOf = ({ clientId, requests }: Pick<Manifest, 'clientId' | 'requests'>): Readonly<Record<string, string>> =>
  requests?.clientHeader === false ? {} : { Authorization: `Basic ${btoa(`${clientId}:`)}` };

/** Generates a unique key of a write; `randomUUID` exists on secure origins only. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

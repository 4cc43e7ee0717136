import { deserialize, serialize } from 'node:v8';

/** Request of a process to the owner of a shared database. Only `join`, `use`, `query`, `script` and `isCopied` are answered. */
export type SharedRequest =
  | { readonly kind: 'join' }
  | { readonly kind: 'use' }
  | { readonly kind: 'end' }
  | { readonly kind: 'isCopied' }
  | { readonly kind: 'query'; readonly text: string; readonly parameters: unknown[]; readonly shape: 'objects' | 'arrays' }
  | { readonly kind: 'script'; readonly text: string };

/** Answer to a request, or `finished`, which the owner sends by itself when a backup has been made. */
export type SharedAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly error: object }
  | { readonly kind: 'finished' };

/** Distinguishes these lines from the requests of a backup on the same socket. */
const prefix = '=';

/** Writes a message as one line. It carries every value that PostgreSQL returns, such as bytes and infinite numbers, which JSON does not. */
export const toLine = (message: SharedRequest | SharedAnswer): string => `${prefix}${serialize(message).toString('base64')}\n`;

/** Reads a line of `toLine`; undefined for any other line. */
export const fromLine = <Message extends SharedRequest | SharedAnswer>(line: string): Message | undefined =>
  line.startsWith(prefix) ? (deserialize(Buffer.from(line.slice(prefix.length), 'base64')) as Message) : undefined;

/** Copies the fields of a database error, such as its code and position, which the serialization of errors leaves out. */
export function errorFields(error: unknown): object {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const fields = Object.entries(error ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return { ...Object.fromEntries(fields), message, stack };
}

import type { TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { memoize } from '../../base/memoize.ts';

const secretNamePattern = /password|passwd|secret|token|credential|access_?key|private_?key|captcha|signature|^(?:blade|things)-?auth$/i;
const mask = '***';
/** Parts of a URL that grant access by themselves: the signature of a file link and the token of a download. */
const secretsInUrls = /(\b(?:signature|(?:blade|things)-auth)=)(?:(?:bearer|crypto)(?:\s|\+|%20)+)?[\w.~%+/=-]+/gi;
const maxDepth = 8;

/** Tests whether a property looks like a secret by its name. */
export const isSecretName = (name: string): boolean => secretNamePattern.test(name);

type Names = ReadonlySet<string>;
const none: Names = new Set();

/** Copies a value with every property replaced whose name looks like a secret or is in `secrets`, at any depth; drops values beyond `remaining`. */
export function masked(value: unknown, secrets: Names = none, remaining: { values: number } = { values: Number.POSITIVE_INFINITY }, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(secretsInUrls, `$1${mask}`);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, remaining.values);
    remaining.values -= items.length;
    return items.map((item) => masked(item, secrets, remaining, depth + 1));
  }
  const copy: [string, unknown][] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (remaining.values <= 0) break;
    remaining.values -= 1;
    const item = (value as Record<string, unknown>)[name];
    copy.push([name, isNamedSecret(name, secrets) && item !== null && item !== '' ? mask : masked(item, secrets, remaining, depth + 1)]);
  }
  return Object.fromEntries(copy);
}

/** Filters on secret fields count too: such a filter is rejected, but its value is still secret. */
const isNamedSecret = (name: string, secrets: Names) => isSecretName(name) || secrets.has(name) || secrets.has(name.replace(/_[a-z]+$/, ''));

/** Names of the fields that a call's contract marks as secret: its input at any depth, and the rows it filters. */
export const secretsOf = memoize((call: Call): Names => new Set([...secretNames(call.input), ...secretNames({ properties: call.filterable?.fields ?? {} })]));

function secretNames(schema: TSchema): string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  const own = Object.entries(properties).flatMap(([name, property]) => (isSecret(property) ? [name] : secretNames(property)));
  return items ? [...own, ...secretNames(items)] : own;
}

const maxLength = 4000;

/** Formats parameters for the log: JSON without secrets, shortened if long. */
export function maskedText(parameters: unknown, secrets: Names = none): string {
  // Each value takes at least two characters of the text, so values beyond `maxLength` would be cut off anyway.
  const text = JSON.stringify(masked(parameters, secrets, { values: maxLength })) ?? '';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const secretsInProse = /((?:password|passwd|secret|token|credential|access_?key|private_?key|captcha)["']?\s*[:=]\s*["']?|bearer\s+)[^\s"'&,;}]+/gi;
const maxProseLength = 16_000;

/** Masks values that follow the name of a secret in free text, and shortens long text. */
export function maskedProse(text: string): string {
  return text.slice(0, maxProseLength).replace(secretsInUrls, `$1${mask}`).replace(secretsInProse, `$1${mask}`);
}

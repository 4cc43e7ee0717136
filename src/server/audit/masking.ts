import type { TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { isSecret } from '#shared/entity';

const secret = /password|passwd|secret|token|credential|access_?key|private_?key|captcha|signature/i;
const struck = '***';
/** What lets a link open a file, for some minutes. */
const signature = /(\bsignature=)[\w-]+/g;
const deepest = 8;

type Names = ReadonlySet<string>;
const none: Names = new Set();

/** A copy in which whatever is named like a secret, or as one of `secrets`, is struck out, at whatever depth. */
export function masked(value: unknown, secrets: Names = none, depth = 0): unknown {
  if (typeof value === 'string') return value.includes('signature=') ? value.replace(signature, `$1${struck}`) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isNamedSecret(name, secrets) && item !== null && item !== '' ? struck : masked(item, secrets, depth + 1),
    ]),
  );
}

/** A filter by a secret is refused, and its value is none the less one. */
const isNamedSecret = (name: string, secrets: Names) => secret.test(name) || secrets.has(name) || secrets.has(name.replace(/_[a-z]+$/, ''));

const named = new WeakMap<Call, Names>();

/** What the contract of a call marks as secret: the fields it takes, at whatever depth, and those of the rows it filters. */
export function secretsOf(call: Call): Names {
  const known = named.get(call) ?? new Set([...secretNames(call.input), ...secretNames({ properties: call.rows?.fields ?? {} })]);
  named.set(call, known);
  return known;
}

function secretNames(schema: TSchema): string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  const own = Object.entries(properties).flatMap(([name, property]) => (isSecret(property) ? [name] : secretNames(property)));
  return items ? [...own, ...secretNames(items)] : own;
}

const longest = 4000;

/** Parameters as the log keeps them: JSON without secrets, cut where it would be long. */
export function maskedText(parameters: unknown, secrets: Names = none): string {
  const text = JSON.stringify(masked(parameters, secrets)) ?? '';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const spoken = /((?:password|passwd|secret|token|credential|access_?key|private_?key|captcha)["']?\s*[:=]\s*["']?|bearer\s+)[^\s"'&,;}]+/gi;
const longestProse = 16_000;

/** Text written for people, with what follows the name of a secret struck out, cut where it would be long. */
export function maskedProse(text: string): string {
  return text.slice(0, longestProse).replace(spoken, `$1${struck}`);
}

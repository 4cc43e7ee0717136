import type { TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { maskedKindOf } from '#shared/fields';
import { wireFormats } from '#shared/formats';
import { type MaskedKind, maskNumber, maskPersonal } from '#shared/personal';
import { memoize } from '../../base/memoize.ts';

const secretNamePattern = /password|passwd|secret|token|credential|access_?key|private_?key|captcha|signature|^(?:blade|things)-?auth$/i;
const mask = '***';
/** Parts of a URL that grant access by themselves: the signature of a file link and the token of a download. */
const secretsInUrls = /(\b(?:signature|(?:blade|things)-auth)=)(?:(?:bearer|crypto)(?:\s|\+|%20)+)?[\w.~%+/=-]+/gi;
const maxDepth = 8;

/** Tests whether a property looks like a secret by its name. */
export const isSecretName = (name: string): boolean => secretNamePattern.test(name);

/** Names of fields that a contract marks: as secret, or with the kind of their personal data. */
type MarkedFields = ReadonlyMap<string, 'secret' | MaskedKind>;
const none: MarkedFields = new Map();

/** Copies a value and masks, at any depth, the properties whose names look like secrets or are marked. Values beyond the number of `remaining` ones are dropped. */
export function masked(value: unknown, marks: MarkedFields = none, remaining: { values: number } = { values: Number.POSITIVE_INFINITY }, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(secretsInUrls, `$1${mask}`);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, remaining.values);
    remaining.values -= items.length;
    return items.map((item) => masked(item, marks, remaining, depth + 1));
  }
  const copy: [string, unknown][] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (remaining.values <= 0) break;
    remaining.values -= 1;
    const item = (value as Record<string, unknown>)[name];
    copy.push([name, maskedByName(name, item, marks) ?? masked(item, marks, remaining, depth + 1)]);
  }
  return Object.fromEntries(copy);
}

/** Masks a value if the name of its property requires it; returns undefined otherwise. The values of filters on marked fields are masked as well. */
function maskedByName(name: string, value: unknown, marks: MarkedFields): unknown {
  if (value === null || value === '') return undefined;
  const mark = marks.get(name) ?? marks.get(name.replace(/_[a-z]+$/, ''));
  if (isSecretName(name) || mark === 'secret') return mask;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    const items = value.map((one) => maskedByName(name, one, marks));
    return items.some((one) => one !== undefined) ? items.map((one, index) => one ?? value[index]) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (name === 'where' && marks.size > 0) return maskedConditions(value, marks);
  if (mark) return maskPersonal(mark, value);
  return isContact(value) || (personalNamePattern.test(name) && isAddressOrNumber(value)) ? maskNumber(value) : undefined;
}

/** Names that parameters without a contract have for personal data. */
const personalNamePattern = /phone|mobile|e-?mail|id_?card|identity|bank_?card|document_?no|^(?:to|username)$/i;
/** Recognizes mobile numbers and e-mail addresses, which users type into every search. */
const isContact = (text: string) => /^1[3-9]\d{9}$/.test(text) || wireFormats.email?.(text) === true;
const isAddressOrNumber = (text: string) => /^\+?[\d\s-]{7,30}[xX]?$/.test(text) || wireFormats.email?.(text) === true;

/** Masks the values of a group of conditions. */
function maskedConditions(text: string, marks: MarkedFields): string {
  try {
    return JSON.stringify(masked(JSON.parse(text), marks));
  } catch {
    return mask;
  }
}

/** Fields that a call's contract marks: of its input at any depth, and of the rows it filters. */
export const marksOf = memoize((call: Call): MarkedFields => new Map([...marksIn({ properties: call.filterable?.fields ?? {} }), ...marksIn(call.input)]));

function marksIn(schema: TSchema): (readonly [string, 'secret' | MaskedKind])[] {
  const { properties = {}, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  const own = Object.entries(properties).flatMap(([name, property]): (readonly [string, 'secret' | MaskedKind])[] => {
    const mark = isSecret(property) ? 'secret' : maskedKindOf(property);
    return mark ? [[name, mark]] : marksIn(property);
  });
  return items ? [...own, ...marksIn(items)] : own;
}

const maxLength = 4000;

/** Formats parameters for the log: JSON without secrets, shortened if long. */
export function maskedText(parameters: unknown, marks: MarkedFields = none): string {
  // Each value takes at least two characters of the text, so values beyond `maxLength` would be cut off anyway.
  const text = JSON.stringify(masked(parameters, marks, { values: maxLength })) ?? '';
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const secretsInProse = /((?:password|passwd|secret|token|credential|access_?key|private_?key|captcha)["']?\s*[:=]\s*["']?|bearer\s+)[^\s"'&,;}]+/gi;
const maxProseLength = 16_000;

/** Masks values that follow the name of a secret in free text, and shortens long text. */
export function maskedProse(text: string): string {
  return text.slice(0, maxProseLength).replace(secretsInUrls, `$1${mask}`).replace(secretsInProse, `$1${mask}`);
}

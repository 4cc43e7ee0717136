/** Kinds of personal data whose values replies contain in masked form only. */
export const maskedKinds = ['phone', 'email', 'identity', 'account', 'address'] as const;
/** A kind of personal data that is masked. */
export type MaskedKind = (typeof maskedKinds)[number];

/** Kinds of personal data: those that are masked, and those that people need to do their work, such as names, which are exported and erased with the person. */
export type PersonalKind = MaskedKind | 'name' | 'other';

const kinds: ReadonlySet<string> = new Set(maskedKinds);

/** Tests whether values of a kind are masked. */
export const isMaskedKind = (kind: string | false | undefined): kind is MaskedKind => typeof kind === 'string' && kinds.has(kind);

const stars = '***';

/** Tests whether a text is the masked form of a value. No value of a masked kind contains three asterisks itself. */
export const isMaskedText = (value: unknown): value is string => typeof value === 'string' && value.includes(stars);

/** Masks a value: `138****1234`, `z***@example.com`, `上海市浦东新***`. A masked value stays as it is. */
export function maskPersonal(kind: MaskedKind, text: string): string {
  if (text === '' || isMaskedText(text)) return text;
  if (kind === 'address') return `${[...text].slice(0, Math.min(6, Math.floor([...text].length / 2))).join('')}${stars}`;
  return maskNumber(text);
}

/** Masks a number: its last four characters remain, and the first three of a long one; of an e-mail address the first character and the host. */
export function maskNumber(text: string): string {
  const [, first, host] = /^(.)[^@]*(@.+)$/su.exec(text) ?? [];
  if (first !== undefined) return `${first}${stars}${host}`;
  const shownFirst = text.length >= 11 ? 3 : 0;
  const shownLast = text.length >= 8 ? 4 : text.length > 3 ? 1 : 0;
  return `${text.slice(0, shownFirst)}${'*'.repeat(Math.max(stars.length, text.length - shownFirst - shownLast))}${shownLast > 0 ? text.slice(-shownLast) : ''}`;
}

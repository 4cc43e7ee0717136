/** A text in both languages of the product; a missing language does not compile. */
export type LocalizedText = readonly [zh: string, en: string];

export type Language = 'zh' | 'en';

/** Values for the `{name}` placeholders of a text. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Returns the text in the given language, with its `{name}` placeholders filled. */
export function localize(text: LocalizedText, language: Language, values: TextValues = {}): string {
  return interpolate(text[language === 'zh' ? 0 : 1], values);
}

/** Fills the `{name}` placeholders of a text. */
export function interpolate(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** Returns the language for a preference (`Accept-Language` or a stored setting): Chinese unless English comes first. */
export function languageOf(preference: string | undefined): Language {
  return /^\s*en\b/i.test(preference ?? '') ? 'en' : 'zh';
}

/** Returns true for null, undefined, '', 'null', 'undefined', empty lists and objects without keys. Booleans and numbers are never empty. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value === '' || value === 'null' || value === 'undefined';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns true for a URL that begins with http or https. */
export function isHttpUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

const openablePattern = '^(?:[hH][tT][tT][pP][sS]?://|/(?![/\\\\])|[^\\s\\u0000-\\u001f\\u007f:&/?#\\\\]+(?:[/?#]|$))[^\\s\\u0000-\\u001f\\u007f]*$';

/**
 * Pattern of fields for addresses that the console opens: empty, http and https addresses, and paths of this site. It rejects every other scheme (`javascript:`,
 * `data:`) in any spelling, and `//host`, which leads to another site.
 */
export const addressPattern = `^$|${openablePattern}`;

const openableRegExp = new RegExp(openablePattern, 'u');

/** Returns true for an address that the console may open. */
export const isOpenable = (address: string): boolean => openableRegExp.test(address);

/** Converts `paramName` to `param_name`, the name of a field in the database and in `ascs` and `descs`, the sort parameters of the wire format. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

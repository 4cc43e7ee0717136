/** A text in both languages of the product; one that lacks a language does not compile. */
export type Words = readonly [zh: string, en: string];

export type Language = 'zh' | 'en';

/** Values that fill the `{name}` places of a text. */
export type WordValues = Readonly<Record<string, string | number>>;

/** The text in the reader's language, its `{name}` places filled. */
export function say(words: Words, language: Language, values: WordValues = {}): string {
  return filled(words[language === 'zh' ? 0 : 1], values);
}

/** A text with its `{name}` places filled. */
export function filled(text: string, values: WordValues): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The language a reader asked for (`Accept-Language`, a stored setting); Chinese unless English is asked for first. */
export function languageOf(preference: string | undefined): Language {
  return /^\s*en\b/i.test(preference ?? '') ? 'en' : 'zh';
}

/** Empty as the product defines it: null, '', 'null', 'undefined', no items, no keys. Booleans and numbers never are. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value === '' || value === 'null' || value === 'undefined';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A URL is absolute when it begins with http or https. */
export function isAbsoluteUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

/** `paramName` → `param_name`: how a field is called in the database and in `ascs` and `descs`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

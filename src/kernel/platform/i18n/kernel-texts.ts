import { createInstance, type i18n } from 'i18next';
import { interpolate, type Language, type TextValues } from '#shared/text';
import { baseTexts, type TextKey, type TextPart } from './texts.ts';

const namespace = 'translation';

/** The kernel's own texts over i18next; languages and parts are loaded when they are first needed. */
export class KernelTexts {
  readonly i18n: i18n = createInstance();
  /** Caches texts by key, placeholders unfilled, because every rendering looks them up. */
  private readonly cache = new Map<Language, Map<TextKey, string>>();
  private readonly parts = new Map<TextPart, Set<Language>>([[baseTexts, new Set()]]);

  async start(language: Language): Promise<void> {
    await this.i18n.init({
      lng: language,
      fallbackLng: false,
      resources: {},
      returnNull: false,
    });
    await this.load(language);
  }

  /** Adds a part; it is loaded in the current language once this resolves, and with every later language. */
  async add(part: TextPart): Promise<void> {
    if (!this.parts.has(part)) this.parts.set(part, new Set());
    await this.load(this.i18n.language as Language);
  }

  /** Tells whether a part is loaded in the current language. */
  has(part: TextPart): boolean {
    return this.parts.get(part)?.has(this.i18n.language as Language) ?? false;
  }

  /** Loads all parts in a language, also those that are added meanwhile. */
  async load(language: Language): Promise<void> {
    const missing = [...this.parts].filter(([, loaded]) => !loaded.has(language));
    if (missing.length === 0) return;
    await Promise.all(missing.map(([part]) => this.loadPart(part, language)));
    await this.load(language);
  }

  private async loadPart(part: TextPart, language: Language): Promise<void> {
    // `skipCopy` is safe because nothing else changes these texts, and `silent` because nothing listens for new bundles.
    this.i18n.addResourceBundle(language, namespace, await part[language](), true, false, { silent: true, skipCopy: true });
    this.cache.delete(language);
    this.parts.get(part)?.add(language);
  }

  /** Switches to a language that has been loaded. */
  async setLanguage(language: Language): Promise<void> {
    await this.i18n.changeLanguage(language);
  }

  /** Returns one text outside of a component. */
  text(key: TextKey, values?: TextValues): string {
    return this.textIn(this.i18n.language as Language, key, values);
  }

  /** Returns one text in a language that has been loaded. */
  textIn(language: Language, key: TextKey, values?: TextValues): string {
    const textsByKey = this.textsIn(language);
    const text = textsByKey.get(key) ?? this.i18n.getResource(language, namespace, key) ?? key;
    textsByKey.set(key, text);
    return values ? interpolate(text, values) : text;
  }

  private textsIn(language: Language): Map<TextKey, string> {
    const textsByKey = this.cache.get(language) ?? new Map<TextKey, string>();
    this.cache.set(language, textsByKey);
    return textsByKey;
  }
}

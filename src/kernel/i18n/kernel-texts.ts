import { createInstance, type i18n } from 'i18next';
import { filled, type Language, type WordValues } from '#shared/text';
import { entranceTexts, type TextKey, type TextPart } from './texts.ts';

const namespace = 'translation';

/** The kernel's own texts over i18next; only languages somebody reads are loaded, and only the parts that somebody asked for. */
export class KernelTexts {
  readonly i18n: i18n = createInstance();
  /** Texts by key, their places unfilled: every one is asked for at every rendering. */
  private readonly said = new Map<Language, Map<TextKey, string>>();
  private readonly parts = new Map<TextPart, Set<Language>>([[entranceTexts, new Set()]]);

  async start(language: Language): Promise<void> {
    await this.i18n.init({
      lng: language,
      fallbackLng: false,
      resources: {},
      returnNull: false,
    });
    await this.load(language);
  }

  /** Adds a part: it is there in the language spoken once this resolves, and in others with them. */
  async add(part: TextPart): Promise<void> {
    if (!this.parts.has(part)) this.parts.set(part, new Set());
    await this.load(this.i18n.language as Language);
  }

  /** Whether a part is there in the language spoken. */
  has(part: TextPart): boolean {
    return this.parts.get(part)?.has(this.i18n.language as Language) ?? false;
  }

  async load(language: Language): Promise<void> {
    const missing = [...this.parts].filter(([, loaded]) => !loaded.has(language));
    await Promise.all(
      missing.map(async ([part, loaded]) => {
        this.i18n.addResourceBundle(language, namespace, await part[language](), true);
        this.said.delete(language);
        loaded.add(language);
      }),
    );
  }

  /** Tells whenever another language is spoken. */
  readonly follow = (listener: () => void): (() => void) => {
    this.i18n.on('languageChanged', listener);
    return () => this.i18n.off('languageChanged', listener);
  };

  /** Speaks a language that has been loaded. */
  async speak(language: Language): Promise<void> {
    await this.i18n.changeLanguage(language);
  }

  /** One text outside of a component. */
  text(key: TextKey, values?: WordValues): string {
    return this.textIn(this.i18n.language as Language, key, values);
  }

  /** One text in a language that has been loaded. */
  textIn(language: Language, key: TextKey, values?: WordValues): string {
    const said = this.saidIn(language);
    const text = said.get(key) ?? this.i18n.t(key, { lng: language, skipInterpolation: true });
    said.set(key, text);
    return values ? filled(text, values) : text;
  }

  private saidIn(language: Language): Map<TextKey, string> {
    const said = this.said.get(language) ?? new Map<TextKey, string>();
    this.said.set(language, said);
    return said;
  }
}

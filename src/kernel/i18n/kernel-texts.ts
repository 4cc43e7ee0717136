import { createInstance, type i18n } from 'i18next';
import type { Language, WordValues } from '#shared/text';
import { loadTexts, type TextKey } from './texts.ts';

/** The kernel's own texts over i18next; only languages somebody reads are loaded. */
export class KernelTexts {
  readonly i18n: i18n = createInstance();

  async start(language: Language): Promise<void> {
    await this.i18n.init({
      lng: language,
      fallbackLng: false,
      resources: { [language]: { translation: await loadTexts[language]() } },
      interpolation: { prefix: '{', suffix: '}', escapeValue: false },
      returnNull: false,
      react: { useSuspense: false },
    });
  }

  async load(language: Language): Promise<void> {
    if (!this.i18n.hasResourceBundle(language, 'translation')) this.i18n.addResourceBundle(language, 'translation', await loadTexts[language]());
  }

  /** Speaks a language that has been loaded. */
  async speak(language: Language): Promise<void> {
    await this.i18n.changeLanguage(language);
  }

  /** One text outside of a component. */
  text(key: TextKey, values: WordValues = {}): string {
    return this.i18n.t(key, values);
  }
}

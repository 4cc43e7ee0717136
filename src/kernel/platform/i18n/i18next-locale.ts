import { BehaviorSubject } from 'rxjs';
import { type Language, type LocalizedText, localize, type TextValues } from '#shared/text';
import type { JsonStorage } from '../browser/storage.ts';
import type { KernelTexts } from './kernel-texts.ts';
import { Locale } from './locale.ts';
import type { TextKey } from './texts.ts';

const key = 'language';
const isLanguage = (value: unknown): value is Language => value === 'zh' || value === 'en';
const htmlLanguage: Readonly<Record<Language, string>> = { zh: 'zh-CN', en: 'en' };

/** Loads dayjs with the first screen that shows a date; the sign-in page shows none. */
const setDayjsLocale = async (language: Language): Promise<void> => {
  const [{ default: dayjs }] = await Promise.all([import('dayjs'), language === 'zh' ? import('dayjs/locale/zh-cn') : import('dayjs/locale/en')]);
  dayjs.locale(language === 'zh' ? 'zh-cn' : 'en');
};

/**
 * Returns the language that this browser has stored, or else the first of its preferred languages that the console has, or else English. A browser without preferred
 * languages gets the default of the deployment.
 */
export function initialLanguage(storage: JsonStorage, defaultLanguage: Language, preferred: readonly string[] = navigator.languages): Language {
  const stored = storage.read(key);
  if (isLanguage(stored)) return stored;
  if (preferred.length === 0) return defaultLanguage;
  return preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** Implements `Locale` with kernel texts over i18next; the choice is stored in this browser. */
export class I18nextLocale extends Locale {
  private readonly subject: BehaviorSubject<Language>;
  readonly language$;
  private requested: Language;

  constructor(
    private readonly texts: KernelTexts,
    private readonly storage: JsonStorage,
    language: Language,
  ) {
    super();
    this.requested = language;
    this.subject = new BehaviorSubject(language);
    this.language$ = this.subject.asObservable();
    document.documentElement.lang = htmlLanguage[language];
  }

  get language(): Language {
    return this.subject.value;
  }

  setLanguage(language: Language): void {
    this.requested = language;
    this.storage.write(key, language);
    this.texts.load(language).then(
      () => this.requested === language && this.apply(language),
      () => undefined, // The texts did not load: the screen stays as it is, and the choice takes effect at the next start.
    );
  }

  t(text: LocalizedText | TextKey, values?: TextValues): string {
    return typeof text === 'string' ? this.texts.textIn(this.language, text, values) : localize(text, this.language, values);
  }

  /** Formats dates in the current language from now on. */
  localizeDates(): { unsubscribe(): void } {
    return this.language$.subscribe((language) => void setDayjsLocale(language).catch(() => undefined));
  }

  dispose(): void {
    this.subject.complete();
  }

  private apply(language: Language): void {
    void this.texts.setLanguage(language);
    document.documentElement.lang = htmlLanguage[language];
    this.subject.next(language);
  }
}

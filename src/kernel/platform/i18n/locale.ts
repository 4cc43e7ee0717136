import type { Observable } from 'rxjs';
import type { Language, LocalizedText, TextValues } from '#shared/text';
import type { TextKey } from './texts.ts';

/** The operator's language; the whole screen follows its changes. */
export abstract class Locale {
  abstract readonly language$: Observable<Language>;
  abstract readonly language: Language;
  abstract setLanguage(language: Language): void;
  /** Returns a text in the current language, with its placeholders filled. Components use `useTranslation()`, which follows changes. */
  abstract t(text: LocalizedText | TextKey, values?: TextValues): string;
}

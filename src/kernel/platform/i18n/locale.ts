import type { Observable } from 'rxjs';
import type { Language, Words } from '#shared/text';

/** The operator's language; the whole screen follows its changes. */
export abstract class Locale {
  abstract readonly language$: Observable<Language>;
  abstract readonly language: Language;
  abstract choose(language: Language): void;
  /** Returns a text of the contract in the current language. Components use `useWords()`, which follows changes. */
  abstract say(words: Words, values?: Readonly<Record<string, string | number>>): string;
}

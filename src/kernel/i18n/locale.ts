import type { Observable } from 'rxjs';
import type { Language, Words } from '#shared/text';

/** The language the operator reads; everything on screen follows it live. */
export abstract class Locale {
  abstract readonly language$: Observable<Language>;
  abstract readonly language: Language;
  abstract choose(language: Language): void;
  /** A contract's words in the current language. Components use `useWords()`, which follows changes. */
  abstract say(words: Words, values?: Readonly<Record<string, string | number>>): string;
}

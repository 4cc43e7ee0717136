import type { Observable } from 'rxjs';
import type { Tone } from '#shared/fields';
import type { Undo } from '../bus.ts';

/** One value of a dictionary: what is stored, and what an operator reads for it. */
export interface DictionaryEntry {
  readonly key: string;
  readonly title: string;
  /** The colour lists show it in, where the dictionary says one. */
  readonly tone?: Tone;
}

/** Reads the entries of a dictionary, in their order; says them again when they have changed or the reader's language is another, and never errors. */
export type DictionarySource = (code: string) => Observable<readonly DictionaryEntry[]>;

/** The values a deployment may choose from, by the code that asks for them. One plugin provides them; without one every dictionary is empty. */
export abstract class Dictionaries {
  /** Read once however many ask; follows changes. Says nothing before the entries are there. */
  abstract entries$(code: string): Observable<readonly DictionaryEntry[]>;
  /** From now on entries come from here; the undoing puts back none. */
  abstract provideBy(source: DictionarySource): Undo;
}

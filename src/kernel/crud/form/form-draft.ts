import type { JsonStorage } from '../../storage.ts';

const version = 1;

/** What was filled in and not saved when the page went away. */
export interface FormDraft {
  /** The row that was edited; none for a new one. */
  readonly rowId?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The fields the form had: a form that has changed since does not take an old draft. */
  readonly fields: string;
}

/** Reads the draft of a screen; what another version or another form wrote is none. */
export function readDraft(storage: JsonStorage, name: string, fields: string): FormDraft | undefined {
  const kept = storage.read<Partial<FormDraft> & { version?: number }>(name);
  const isOurs = kept?.version === version && kept.fields === fields && typeof kept.values === 'object' && typeof kept.at === 'number';
  return isOurs ? (kept as FormDraft) : undefined;
}

/** Keeps the draft of a screen until the browser's tab is closed. */
export function keepDraft(storage: JsonStorage, name: string, draft: FormDraft): void {
  storage.write(name, { version, ...draft });
}

import type { JsonStorage } from '../../platform/browser/storage.ts';

const version = 1;

/** Input that was not saved when the page was left. */
export interface FormDraft {
  /** Id of the edited row; absent for a new one. */
  readonly rowId?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Field names of the form: a form that has changed since ignores the draft. */
  readonly fields: string;
}

/** Reads the draft of a screen; ignores one of another version or of another form. */
export function readDraft(storage: JsonStorage, name: string, fields: string): FormDraft | undefined {
  const storedDraft = storage.read<Partial<FormDraft> & { version?: number }>(name);
  const isOurs =
    storedDraft?.version === version && storedDraft.fields === fields && typeof storedDraft.values === 'object' && typeof storedDraft.at === 'number';
  return isOurs ? (storedDraft as FormDraft) : undefined;
}

/** Stores the draft of a screen until the browser's tab is closed. */
export function writeDraft(storage: JsonStorage, name: string, draft: FormDraft): void {
  storage.write(name, { version, ...draft });
}

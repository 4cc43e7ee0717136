/** A question before an action that cannot be undone. */
export interface Question {
  readonly title: string;
  readonly content?: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly danger?: boolean;
}

/** Asks the operator; resolves with true when they confirm. */
export abstract class Dialogs {
  abstract confirm(question: Question): Promise<boolean>;
}

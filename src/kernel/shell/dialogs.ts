/** What is asked before something that cannot be undone. */
export interface Question {
  readonly title: string;
  readonly content?: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly danger?: boolean;
}

/** Asks the operator; true when it is confirmed. */
export abstract class Dialogs {
  abstract confirm(question: Question): Promise<boolean>;
}

/** A question that the operator must confirm before an action runs. */
export interface Question {
  readonly title: string;
  readonly content?: string;
  /** Label of the button that confirms; the title by default. */
  readonly confirm?: string;
  /** Label of the other button, “Cancel” by default. */
  readonly cancel?: string;
  readonly danger?: boolean;
}

/** Asks the operator; resolves with true when they confirm. */
export abstract class Dialogs {
  abstract confirm(question: Question): Promise<boolean>;
}

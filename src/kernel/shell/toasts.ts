/** Something an operator may do about what a toast says, as long as it shows. */
export interface ToastAction {
  readonly title: string;
  readonly onChoose: () => void;
}

/** Short words to the operator that go by themselves; with an action they stay a few seconds longer. */
export abstract class Toasts {
  abstract success(text: string, action?: ToastAction): void;
  abstract info(text: string, action?: ToastAction): void;
  abstract warning(text: string, action?: ToastAction): void;
  abstract error(text: string, action?: ToastAction): void;
}

/** Severity of a toast. */
export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/** An action that the user can run while its toast is visible. */
export interface ToastAction {
  readonly title: string;
  readonly onClick: () => void;
}

/** Short messages that disappear by themselves; those with an action stay a few seconds longer. */
export abstract class Toasts {
  abstract success(text: string, action?: ToastAction): void;
  abstract info(text: string, action?: ToastAction): void;
  abstract warning(text: string, action?: ToastAction): void;
  abstract error(text: string, action?: ToastAction): void;
}

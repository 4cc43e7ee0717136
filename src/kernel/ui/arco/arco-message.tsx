import { Button, Message } from '@arco-design/web-react';
import type { ToastAction, ToastKind } from '../../platform/feedback/toasts.ts';
import { adaptArco } from './arco-adapter.ts';
import { positionToasts } from './toast-position.ts';

adaptArco();

/** Toasts shown this shortly before a page is left report the action that left it. */
const graceMs = 300;
const shown = new Map<() => void, number>();

/** Shows a toast; one with an action stays for eight seconds or until the action is selected. */
export function showMessage(kind: ToastKind, text: string, action?: ToastAction): void {
  const select = () => {
    close();
    action?.onClick();
  };
  const content = action ? (
    <>
      {text}
      <Button type="text" size="mini" onClick={select}>
        {action.title}
      </Button>
    </>
  ) : (
    text
  );
  positionToasts(shown.size + 1);
  const close: () => void = Message[kind]({ content, closable: true, onClose: () => shown.delete(close), ...(action ? { duration: 8000 } : {}) });
  shown.set(close, performance.now());
}

/** Closes the toasts of a page that was left. */
export function closeMessages(): void {
  for (const [close, at] of shown)
    if (performance.now() - at > graceMs) {
      shown.delete(close);
      close();
    }
}

import { Button, Message } from '@arco-design/web-react';
import type { ToastAction, ToastKind } from '../../platform/feedback/toasts.ts';
import { adaptArco } from './arco-adapter.ts';

adaptArco();

/** Shows a toast; one with an action stays for eight seconds or until the action is selected. */
export function showMessage(kind: ToastKind, text: string, action?: ToastAction): void {
  if (!action) {
    Message[kind]({ content: text, closable: true });
    return;
  }
  const select = () => {
    close();
    action.onChoose();
  };
  const content = (
    <>
      {text}
      <Button type="text" size="mini" onClick={select}>
        {action.title}
      </Button>
    </>
  );
  const close = Message[kind]({ content, closable: true, duration: 8000 });
}

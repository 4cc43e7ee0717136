import { type ToastAction, type ToastKind, Toasts } from '../../platform/feedback/toasts.ts';
import styles from '../loading/lazy-component.module.css';

/** Shows toasts with Arco's Message, which is loaded with the first one. */
export class ArcoToasts extends Toasts {
  /** Undefined until the first toast. */
  private message: typeof import('./arco-message.tsx') | undefined;

  success = (text: string, action?: ToastAction): void => this.show('success', text, action);
  info = (text: string, action?: ToastAction): void => this.show('info', text, action);
  warning = (text: string, action?: ToastAction): void => this.show('warning', text, action);
  error = (text: string, action?: ToastAction): void => this.show('error', text, action);

  leavePage(): void {
    this.message?.closeMessages();
  }

  private show(kind: ToastKind, text: string, action?: ToastAction): void {
    import('./arco-message.tsx').then(
      (message) => {
        this.message = message;
        message.showMessage(kind, text, action);
      },
      () => kind === 'error' && showPlainly(text),
    );
  }
}

/** Shows an error as plain text when Message could not be loaded, because the error is then probably the network failure that also kept Message from loading. */
function showPlainly(text: string): void {
  const line = document.createElement('p');
  line.className = styles.over ?? '';
  line.role = 'alert';
  line.textContent = text;
  document.body.append(line);
  setTimeout(() => line.remove(), 5000);
}

import styles from '../part.module.css';
import { type ToastAction, Toasts } from './toasts.ts';

/** Toasts by Arco's Message, which is fetched with the first of them. */
export class ArcoToasts extends Toasts {
  success(text: string, action?: ToastAction): void {
    this.show('success', text, action);
  }

  info(text: string, action?: ToastAction): void {
    this.show('info', text, action);
  }

  warning(text: string, action?: ToastAction): void {
    this.show('warning', text, action);
  }

  error(text: string, action?: ToastAction): void {
    this.show('error', text, action);
  }

  private show(kind: 'success' | 'info' | 'warning' | 'error', text: string, action?: ToastAction): void {
    import('./arco-message.tsx').then(
      ({ showMessage }) => showMessage(kind, text, action),
      () => kind === 'error' && showPlainly(text),
    );
  }
}

/** Where the network has failed Message itself may be missing, and then most of all a failure is to be told. */
function showPlainly(text: string): void {
  const line = document.createElement('p');
  line.className = styles.over ?? '';
  line.role = 'alert';
  line.textContent = text;
  document.body.append(line);
  setTimeout(() => line.remove(), 5000);
}

import { Toasts } from './toasts.ts';

/** Toasts by Arco's Message, which is fetched with the first of them. */
export class ArcoToasts extends Toasts {
  success(text: string): void {
    this.show('success', text);
  }

  info(text: string): void {
    this.show('info', text);
  }

  warning(text: string): void {
    this.show('warning', text);
  }

  error(text: string): void {
    this.show('error', text);
  }

  private show(kind: 'success' | 'info' | 'warning' | 'error', text: string): void {
    import('./arco-message.ts').then(
      ({ Message }) => Message[kind]({ content: text, closable: true }),
      () => undefined, // Without the network there is nothing to show it with.
    );
  }
}

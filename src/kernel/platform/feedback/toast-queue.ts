import type { Disposer } from '../../base/bus/bus.ts';
import { type ToastAction, Toasts } from './toasts.ts';

type Kind = 'success' | 'info' | 'warning' | 'error';

const limit = 20;

/** Queues toasts until a shell attaches, at most the latest twenty. */
export class ToastQueue extends Toasts {
  private waiting: (readonly [Kind, string, ToastAction | undefined])[] = [];
  private shown: Toasts | undefined;

  /** Sends toasts to `toasts` from now on; queued ones go first. */
  attach(toasts: Toasts): Disposer {
    this.shown = toasts;
    for (const [kind, text, action] of this.waiting.splice(0)) toasts[kind](text, action);
    return () => {
      if (this.shown === toasts) this.shown = undefined;
    };
  }

  success(text: string, action?: ToastAction): void {
    this.enqueue('success', text, action);
  }

  info(text: string, action?: ToastAction): void {
    this.enqueue('info', text, action);
  }

  warning(text: string, action?: ToastAction): void {
    this.enqueue('warning', text, action);
  }

  error(text: string, action?: ToastAction): void {
    this.enqueue('error', text, action);
  }

  private enqueue(kind: Kind, text: string, action?: ToastAction): void {
    if (this.shown) this.shown[kind](text, action);
    else this.waiting = [...this.waiting, [kind, text, action] as const].slice(-limit);
  }
}

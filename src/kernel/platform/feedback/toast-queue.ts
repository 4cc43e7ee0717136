import type { Disposer } from '../../base/bus/bus.ts';
import { type ToastAction, type ToastKind, Toasts } from './toasts.ts';

const maxQueued = 20;

type PageToasts = Toasts & { leavePage?: () => void };

/** Queues toasts until a shell attaches, at most the latest twenty. */
export class ToastQueue extends Toasts {
  private queued: (readonly [ToastKind, string, ToastAction | undefined])[] = [];
  private target: PageToasts | undefined;

  /** Sends toasts to `toasts` from now on; queued ones go first. */
  attach(toasts: PageToasts): Disposer {
    this.target = toasts;
    for (const [kind, text, action] of this.queued.splice(0)) toasts[kind](text, action);
    return () => {
      if (this.target === toasts) this.target = undefined;
    };
  }

  success = (text: string, action?: ToastAction): void => this.enqueue('success', text, action);
  info = (text: string, action?: ToastAction): void => this.enqueue('info', text, action);
  warning = (text: string, action?: ToastAction): void => this.enqueue('warning', text, action);
  error = (text: string, action?: ToastAction): void => this.enqueue('error', text, action);

  /** Dismisses the toasts of the page that is left; toasts never outlive their page. */
  leavePage(): void {
    this.target?.leavePage?.();
  }

  private enqueue(kind: ToastKind, text: string, action?: ToastAction): void {
    if (this.target) this.target[kind](text, action);
    else this.queued = [...this.queued, [kind, text, action] as const].slice(-maxQueued);
  }
}

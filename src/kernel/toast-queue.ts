import type { Undo } from './bus.ts';
import { Toasts } from './shell/toasts.ts';

type Kind = 'success' | 'info' | 'warning' | 'error';

const limit = 20;

/** Toasts before there is anything to show them: kept, at most the latest twenty, and handed over once a shell attaches. */
export class ToastQueue extends Toasts {
  private waiting: (readonly [Kind, string])[] = [];
  private shown: Toasts | undefined;

  /** From now on toasts go to these; those that waited go first. */
  attach(toasts: Toasts): Undo {
    this.shown = toasts;
    for (const [kind, text] of this.waiting.splice(0)) toasts[kind](text);
    return () => {
      if (this.shown === toasts) this.shown = undefined;
    };
  }

  success(text: string): void {
    this.say('success', text);
  }

  info(text: string): void {
    this.say('info', text);
  }

  warning(text: string): void {
    this.say('warning', text);
  }

  error(text: string): void {
    this.say('error', text);
  }

  private say(kind: Kind, text: string): void {
    if (this.shown) this.shown[kind](text);
    else this.waiting = [...this.waiting, [kind, text] as const].slice(-limit);
  }
}

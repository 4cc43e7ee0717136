import { Store } from '../../base/store/store.ts';

/** Holds whether the page is maximized: it fills the window, without the bars around it. */
export class MaximizedContent extends Store<{ readonly isMaximized: boolean }> {
  constructor() {
    super({ isMaximized: false });
  }

  maximize(): void {
    this.update((state) => void Object.assign(state, { isMaximized: true }));
  }

  restore(): void {
    this.update((state) => void Object.assign(state, { isMaximized: false }));
  }
}

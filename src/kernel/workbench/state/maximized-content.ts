import { Store } from '../../base/store/store.ts';

/** Holds whether the page is maximized: it fills the window, without the bars around it. */
export class MaximizedContent extends Store<{ readonly isMaximized: boolean }> {
  constructor() {
    super({ isMaximized: false });
  }

  maximize(): void {
    this.set({ isMaximized: true });
  }

  restore(): void {
    this.set({ isMaximized: false });
  }
}

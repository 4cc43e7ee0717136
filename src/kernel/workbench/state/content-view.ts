import { Store } from '../../base/store/store.ts';

/** State of the full-screen content: the page fills the window without the bars around it. */
export class ContentView extends Store<{ readonly isFull: boolean }> {
  constructor() {
    super({ isFull: false });
  }

  enter(): void {
    this.update((state) => void Object.assign(state, { isFull: true }));
  }

  leave(): void {
    this.update((state) => void Object.assign(state, { isFull: false }));
  }
}

import { Store } from '../store.ts';

/** Whether the page has the whole window, without what stands beside and above it. */
export class ContentView extends Store<{ readonly isFull: boolean }> {
  constructor() {
    super({ isFull: false });
  }

  enter(): void {
    this.turn(true);
  }

  leave(): void {
    this.turn(false);
  }

  private turn(isFull: boolean): void {
    this.update((state) => {
      state.isFull = isFull;
    });
  }
}

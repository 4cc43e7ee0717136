import { Store } from '../../base/store/store.ts';

/** Tells whether the page fills the whole window, without the bars around it. */
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

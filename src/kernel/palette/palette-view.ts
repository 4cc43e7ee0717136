import { Store } from '../store.ts';

type Shown = 'palette' | 'lock' | 'settings';

/** Whether the palette is shown, or what was asked for in it. */
export class PaletteView extends Store<{ readonly shown: Shown | undefined }> {
  constructor() {
    super({ shown: undefined });
  }

  show(what: Shown): void {
    this.update((state) => {
      state.shown = what;
    });
  }

  /** Closes what is shown, or only this: a dialog says that it has closed after the next one is shown. */
  close(what?: Shown): void {
    if (what !== undefined && this.state.shown !== what) return;
    this.update((state) => {
      state.shown = undefined;
    });
  }
}

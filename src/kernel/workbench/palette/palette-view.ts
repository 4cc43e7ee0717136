import { Store } from '../../base/store/store.ts';

type PaletteOverlay = 'palette' | 'lock' | 'settings';

/** Tells whether the palette or its list of shortcuts is shown. */
export class PaletteView extends Store<{ readonly shown: PaletteOverlay | undefined }> {
  constructor() {
    super({ shown: undefined });
  }

  show(what: PaletteOverlay): void {
    this.update((state) => {
      state.shown = what;
    });
  }

  /** Closes the open dialog, or only `what`: a dialog reports its closing after the next one is shown. */
  close(what?: PaletteOverlay): void {
    if (what !== undefined && this.state.shown !== what) return;
    this.update((state) => {
      state.shown = undefined;
    });
  }
}

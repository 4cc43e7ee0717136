import { Store } from '../../base/store/store.ts';

type Overlay = 'palette' | 'lock' | 'settings';

/** Holds which overlay is open: the palette, the lock dialog or the settings panel. */
export class OpenOverlay extends Store<{ readonly shown: Overlay | undefined }> {
  constructor() {
    super({ shown: undefined });
  }

  show(overlay: Overlay): void {
    this.set({ shown: overlay });
  }

  /** Closes an overlay if it is the open one; without an argument, closes any. A dialog reports its closing only after the next overlay has opened. */
  close(overlay = this.state.shown): void {
    if (this.state.shown === overlay) this.set({ shown: undefined });
  }
}

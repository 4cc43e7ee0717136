import { Store } from '../../base/store/store.ts';

type Overlay = 'palette' | 'lock' | 'settings';

/** Holds which overlay is open: the palette, the lock dialog or the settings panel. */
export class PaletteView extends Store<{ readonly shown: Overlay | undefined }> {
  constructor() {
    super({ shown: undefined });
  }

  show(overlay: Overlay): void {
    this.update((state) => void Object.assign(state, { shown: overlay }));
  }

  /** Closes the open overlay, or only the given one: a dialog reports its closing after the next one is shown. */
  close(overlay?: Overlay): void {
    if (overlay === undefined || this.state.shown === overlay) this.update((state) => void Object.assign(state, { shown: undefined }));
  }
}

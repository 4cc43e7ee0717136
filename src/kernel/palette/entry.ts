import type { ReactNode } from 'react';

/** One line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  readonly icon: ReactNode;
  /** Where it belongs, or what tells it from others of its title. */
  readonly detail?: string | undefined;
  /** How else it is called, such as in the other language. */
  readonly otherNames?: readonly string[];
  /** It is how things are now. */
  readonly isOn?: boolean;
  /** What it shows; that can be opened in another window. */
  readonly location?: string;
  readonly choose: () => void;
}

/** Lines of one kind. */
export interface PaletteGroup {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
  /** True: somebody else has found them for what was typed. */
  readonly isFound?: boolean;
}

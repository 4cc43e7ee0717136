import type { ReactNode } from 'react';

/** One line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  readonly icon: ReactNode;
  /** Secondary text: the group of the entry, or what distinguishes entries of the same title. */
  readonly detail?: string | undefined;
  /** Further names to search by, such as the title in the other language. */
  readonly otherNames?: readonly string[];
  /** True for the current setting. */
  readonly isOn?: boolean;
  /** Address of the entry, which can be opened in another window. */
  readonly location?: string;
  readonly choose: () => void;
}

/** Entries of one kind. */
export interface PaletteGroup {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
  /** True when the entries are already the results of a search for the typed text. */
  readonly isFound?: boolean;
}

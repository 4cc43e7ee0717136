import type { ComponentType } from 'react';
import type { LocalizedText } from '#shared/text';
import type { Services } from '../base/container/services.ts';
import type { IconName } from '../ui/primitives/Icon.tsx';
import type { Panel } from '../ui/slots/Panels.tsx';
import { slot } from '../ui/slots/slots.ts';

/** Panels of the home page, after its own. */
export const HomePanels = slot<Panel>('kernel:home-panels');

/** Sections of the settings drawer in which users personalize the console. */
export const SettingsSections = slot<Panel>('kernel:settings-sections');

/** An item among the tools of the top bar. Every console shows it at the start, so it stays small and loads what it opens later. */
export interface HeaderItem {
  /** Permission code that seeing the item requires. */
  readonly code?: string;
  readonly Item: ComponentType;
}

/** Items of the top bar that plugins add, before its menus. */
export const HeaderItems = slot<HeaderItem>('kernel:header-items');

/** An item of the user menu, and an action of the palette, which opens a page of this console. */
export interface UserMenuItem {
  readonly title: LocalizedText;
  readonly icon: IconName;
  readonly path: string;
  /** Permission code that seeing the item requires. */
  readonly code?: string;
}

/** Items that plugins add to the user menu. */
export const UserMenuItems = slot<UserMenuItem>('kernel:user-menu-items');

/** An action of the palette. */
export interface PaletteAction {
  readonly title: LocalizedText;
  readonly code?: string;
  readonly run: (context: Services) => void;
}

/** Actions plugins add to the palette, after the console's own. */
export const PaletteActions = slot<PaletteAction>('kernel:palette-actions');

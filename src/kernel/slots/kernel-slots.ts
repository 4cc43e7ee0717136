import type { ComponentType, ReactNode } from 'react';
import type { EntityExtension } from '#shared/entity-extension';
import type { Words } from '#shared/text';
import type { ColumnOverride, InputOverride, Row, RowAction, ToolbarAction } from '../crud/crud-screen.ts';
import type { PluginContext } from '../plugin.ts';
import { type Filling, fill, slot } from './slot.ts';

type Lent = Pick<PluginContext, 'get'>;

/** A component under a heading of its own, fetched when it is first shown. */
export interface Panel {
  readonly title: Words;
  /** Only who holds this code sees it. */
  readonly code?: string;
  readonly load: () => Promise<{ readonly default: () => ReactNode }>;
}

/** Panels of the first page, after its own. */
export const HomePanels = slot<Panel>('kernel:home-panels');

/** Sections of the drawer in which everybody sets up the console for themselves. */
export const SettingsSections = slot<Panel>('kernel:settings-sections');

/** Something to do from anywhere, found by typing. */
export interface PaletteAction {
  readonly title: Words;
  readonly code?: string;
  readonly run: (context: Lent) => void;
}

/** What plugins offer to do from anywhere, after the console's own. */
export const PaletteActions = slot<PaletteAction>('kernel:palette-actions');

/** A column that another plugin adds to a generic screen. */
export interface AddedColumn<R = Row> {
  readonly title: Words;
  readonly width?: number;
  /** True: it stands to the right, as numbers do. */
  readonly isNumber?: boolean;
  /** True: not shown until the operator asks for it. */
  readonly hidden?: boolean;
  /** Draws one cell with the services of the plugin that adds it. */
  readonly Cell: ComponentType<{ readonly row: R }>;
}

/** What a plugin adds to a generic screen of another, or shows otherwise there. */
export interface ScreenAddition<R = Row> {
  /** Fields of its rows in form, view and table, and what is asked of the screen's own; the plugin's server half names it as well. */
  readonly fields?: EntityExtension;
  /** After the screen's own columns, by names of the plugin's. */
  readonly columns?: Readonly<Record<string, AddedColumn<R>>>;
  /** How columns that the screen has are to differ from what it says. */
  readonly overrides?: { readonly [Name in keyof R]?: ColumnOverride<R> };
  /** How fields of its form are to differ from what they say. */
  readonly inputs?: { readonly [Name in keyof R]?: InputOverride };
  readonly actions?: { readonly row?: readonly RowAction<R>[]; readonly toolbar?: readonly ToolbarAction<R>[] };
}

/** Makes an addition with the services of its plugin. */
export type ScreenAdditionOf<R = Row> = (context: Lent) => ScreenAddition<R>;

/** An addition that is fetched with the screen it belongs to. */
export type LoadScreenAddition = () => Promise<{ readonly default: ScreenAdditionOf<never> }>;

const screens = new Map<string, ReturnType<typeof slot<LoadScreenAddition>>>();

/** The slot of the generic screens that belong to one menu entry. */
export function screenOf(menuCode: string) {
  const known = screens.get(menuCode) ?? slot<LoadScreenAddition>(`screen:${menuCode}`);
  screens.set(menuCode, known);
  return known;
}

/** Adds to the generic screens of a menu entry, of whichever plugin they are. */
export const addToScreen = <R = Row>(menuCode: string, load: () => Promise<{ readonly default: ScreenAdditionOf<R> }>): Filling =>
  fill(screenOf(menuCode), load as unknown as LoadScreenAddition);

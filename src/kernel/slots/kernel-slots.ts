import type { ComponentType, ReactNode } from 'react';
import type { EntityExtension } from '#shared/entity-extension';
import type { Words } from '#shared/text';
import type { ColumnOverride, InputOverride, Row, RowAction, ToolbarAction } from '../crud/crud-screen.ts';
import type { PluginContext } from '../plugin.ts';
import { type Filling, fill, slot } from './slot.ts';

type PluginServices = Pick<PluginContext, 'get'>;

/** A component with a heading, loaded when it is first shown. */
export interface Panel {
  readonly title: Words;
  /** Permission code that seeing the panel requires. */
  readonly code?: string;
  readonly load: () => Promise<{ readonly default: () => ReactNode }>;
}

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

/** An action of the palette. */
export interface PaletteAction {
  readonly title: Words;
  readonly code?: string;
  readonly run: (context: PluginServices) => void;
}

/** Actions plugins add to the palette, after the console's own. */
export const PaletteActions = slot<PaletteAction>('kernel:palette-actions');

/** A column that another plugin adds to a generic screen. */
export interface AddedColumn<R = Row> {
  readonly title: Words;
  readonly width?: number;
  /** True to align the values to the right, as numbers are. */
  readonly isNumber?: boolean;
  /** True when the column is hidden until the operator shows it. */
  readonly hidden?: boolean;
  /** Renders one cell with the services of the plugin that adds it. */
  readonly Cell: ComponentType<{ readonly row: R }>;
}

/** Additions and overrides of a plugin for a generic screen of another. */
export interface ScreenAddition<R = Row> {
  /** Fields added to form, view and table, and stricter rules for the screen's own; the plugin's server half must declare the same extension. */
  readonly fields?: EntityExtension;
  /** Columns after the screen's own, keyed by names the plugin chooses. */
  readonly columns?: Readonly<Record<string, AddedColumn<R>>>;
  /** Overrides of the screen's columns. */
  readonly overrides?: { readonly [Name in keyof R]?: ColumnOverride<R> };
  /** Overrides of the screen's form fields. */
  readonly inputs?: { readonly [Name in keyof R]?: InputOverride };
  readonly actions?: { readonly row?: readonly RowAction<R>[]; readonly toolbar?: readonly ToolbarAction<R>[] };
}

/** Creates an addition with the services of its plugin. */
export type ScreenAdditionOf<R = Row> = (context: PluginServices) => ScreenAddition<R>;

/** Loads an addition together with the screen it belongs to. */
export type LoadScreenAddition = () => Promise<{ readonly default: ScreenAdditionOf<never> }>;

const screens = new Map<string, ReturnType<typeof slot<LoadScreenAddition>>>();

/** Returns the slot of the generic screens of one menu entry. */
export function screenOf(menuCode: string) {
  const known = screens.get(menuCode) ?? slot<LoadScreenAddition>(`screen:${menuCode}`);
  screens.set(menuCode, known);
  return known;
}

/** Adds to the generic screens of a menu entry, whichever plugin provides them. */
export const addToScreen = <R = Row>(menuCode: string, load: () => Promise<{ readonly default: ScreenAdditionOf<R> }>): Filling =>
  fill(screenOf(menuCode), load as unknown as LoadScreenAddition);

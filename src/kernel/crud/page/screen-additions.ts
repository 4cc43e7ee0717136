import type { ComponentType } from 'react';
import type { EntityExtension } from '#shared/entity-extension';
import type { LocalizedText } from '#shared/text';
import type { Services } from '../../base/container/services.ts';
import { type Contribution, contribute, slot } from '../../ui/slots/slots.ts';
import type { ColumnOverride, CrudCalls, CrudPageProps, InputOverride, Row, RowAction, ToolbarAction } from '../model/crud-screen.ts';

/** A column that another plugin adds to a generic screen. */
export interface AddedColumn<R = Row> {
  readonly title: LocalizedText;
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
  /** Rendered between the heading of an opened record and its parts, with the services of the plugin that adds it. */
  readonly Summary?: ComponentType<{ readonly row: R }>;
  readonly actions?: { readonly row?: readonly RowAction<R>[]; readonly toolbar?: readonly ToolbarAction<R>[] };
}

/** Creates an addition with the services of its plugin. */
export type ScreenAdditionOf<R = Row> = (context: Services) => ScreenAddition<R>;

/** Loads an addition together with the screen it belongs to. */
export type LoadScreenAddition = () => Promise<{ readonly default: ScreenAdditionOf<never> }>;

/** Returns the slot of the generic screens of one menu entry. */
export const screenOf = (menuCode: string) => slot<LoadScreenAddition>(`screen:${menuCode}`);

/** Declares an addition to the generic screens of a menu entry, whichever plugin provides them. */
export const addToScreen = <R = Row>(menuCode: string, load: () => Promise<{ readonly default: ScreenAdditionOf<R> }>): Contribution =>
  contribute(screenOf(menuCode), load as unknown as LoadScreenAddition);

/** Returns the action that a plugin adds to the menu of each row of a list; undefined for lists without it. */
export type ListRowAction = (crud: CrudCalls, context: Services) => RowAction | undefined;

/** Actions that plugins add to the menus of the rows of all lists, after those of the list. */
export const ListRowActions = slot<ListRowAction>('kernel:list-row-actions');

/** State of a list at the moment when an item of its toolbar acts. */
export interface ListSnapshot {
  /** Sorts and filters of the current results, as the list call takes them, without the page. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Filter that the page sets on every query. */
  readonly filter: NonNullable<CrudPageProps['filter']>;
  /** Ids of the selected rows. */
  readonly selected: readonly string[];
  /** Fields that the table can show, in its order, the visible ones first. */
  readonly columns: readonly { readonly name: string; readonly title: LocalizedText; readonly isShown: boolean }[];
}

/** Props of an item in the toolbar of a list. */
export interface ListToolbarProps {
  readonly crud: CrudCalls;
  readonly readList: () => ListSnapshot;
  /** Returns the element for dialogs of the item, so that they are hidden with the tab of the list. */
  readonly container: () => Element;
  /** Reloads the list, and other screens of its entity. */
  readonly onChanged: () => void;
}

/** An item in the toolbars of all lists. It renders nothing if the contract of the list lacks the calls that it needs, or the user lacks their permission codes. */
export interface ListToolbarItem {
  readonly Item: ComponentType<ListToolbarProps>;
}

/** Items that plugins add to the toolbars of all lists, after the actions of the list. */
export const ListToolbarItems = slot<ListToolbarItem>('kernel:list-toolbar-items');

import type { MouseEvent } from 'react';
import { textWidth } from '../../model/cell-text.ts';
import type { Row } from '../../model/crud-screen.ts';

/** An action on a row. */
export interface RowButton {
  readonly key: string;
  readonly title: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** True for an action that is shown in menus only. */
  readonly isSecondary?: boolean;
  /** True for an action that a card shows as a button. */
  readonly isPrimary?: boolean;
  /** Returns false for rows without the action. */
  readonly isOffered?: (row: Row) => boolean;
  /** Values that the action sets, by which a board finds it. */
  readonly moves?: Readonly<Record<string, unknown>> | undefined;
  /** Returns a promise for an action that takes time: until it settles, the row is shown as busy. */
  readonly onClick: (row: Row) => unknown;
}

/** Layout of the actions of a table. */
export interface ActionLayout {
  readonly buttons: readonly RowButton[];
  /** Width in pixels that the buttons may take; those that do not fit move into a menu. All are shown while it is infinite: nothing has been laid out yet. */
  readonly availableWidth: number;
  /** True when the title of a row opens it, so that no button needs to. */
  readonly titleOpensRecord: boolean;
}

/** Largest number of buttons in a row. */
const maxShown = 2;
const padding = 24;
const moreWidth = 30;
const buttonWidth = ({ title }: RowButton) => 16 + textWidth(title);

/** Returns the actions that a row has. */
export const offeredActions = (buttons: readonly RowButton[], row: Row): RowButton[] => buttons.filter(({ isOffered }) => isOffered?.(row) ?? true);

/** Lays out the actions of one row: the visible ones, those in the menu, and the width in pixels. */
export function layoutActions(row: Row | undefined, { buttons, availableWidth, titleOpensRecord }: ActionLayout) {
  const candidates = buttons.filter(({ key }) => !titleOpensRecord || key !== 'view');
  const offered = row ? offeredActions(candidates, row) : candidates;
  const widthOf = (shown: number) =>
    offered.slice(0, shown).reduce((sum, button) => sum + buttonWidth(button), padding) + (shown < offered.length ? moreWidth : 0);
  const primary = offered.filter(({ isSecondary }) => !isSecondary).length;
  let shown = Math.min(availableWidth < Number.POSITIVE_INFINITY ? maxShown : primary, primary);
  while (shown > 0 && widthOf(shown) > availableWidth) shown -= 1;
  return { shown: offered.slice(0, shown), overflow: offered.slice(shown), width: widthOf(shown) };
}

/** Returns the width of the column of the actions: that of its widest row, at least its heading's. */
export const actionsWidth = (rows: readonly Row[], title: string, layout: ActionLayout): number =>
  rows.reduce((width, row) => Math.max(width, layoutActions(row, layout).width), padding + textWidth(title));

interface RowActionsProps extends ActionLayout {
  readonly row: Row;
  /** Accessible name of the menu button. */
  readonly menuLabel: string;
  readonly onAction: (key: string, row: Row) => void;
  /** Opens the menu below the button, with these actions. */
  readonly onMenu: (row: Row, keys: readonly string[], opener: HTMLElement) => void;
}

/** Renders the actions of a row; those that do not fit are behind one button. */
export function RowActions({ row, menuLabel, onAction, onMenu, ...layout }: RowActionsProps) {
  const { shown, overflow } = layoutActions(row, layout);
  const handle = (run: (target: HTMLElement) => void) => (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation();
    run(event.currentTarget);
  };
  return (
    <span className="crud-table__actions">
      {shown.map(({ key, title, isDanger, isDisabled = false }) => (
        <button
          key={key}
          type="button"
          className={isDanger ? 'crud-table__action crud-table__action_danger' : 'crud-table__action'}
          disabled={isDisabled}
          onClick={handle(() => onAction(key, row))}
        >
          {title}
        </button>
      ))}
      {overflow.length > 0 && (
        <button
          type="button"
          className="crud-table__action"
          aria-label={menuLabel}
          title={menuLabel}
          aria-haspopup="menu"
          onClick={handle((opener) => {
            const keys = overflow.map(({ key }) => key);
            onMenu(row, keys, opener);
          })}
        >
          <span className="crud-table__dots" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

import { type TableColumnProps, Trigger } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { type MenuChoice, MenuList } from '../../../ui/menus/MenuList.tsx';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import { textWidth } from '../../model/cell-text.ts';
import type { Row } from '../../model/crud-screen.ts';

/** A button of a row. */
export interface RowButton {
  readonly key: string;
  readonly title: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Returns false for rows without the button. */
  readonly isOffered?: (row: Row) => boolean;
  readonly onClick: (row: Row) => void;
}

interface RowActions {
  readonly buttons: readonly RowButton[];
  readonly rows: readonly Row[];
  readonly title: string;
  /** Available width in pixels; buttons that do not fit move into a menu. */
  readonly availableWidth: number;
  /** Returns the accessible name of the menu button. */
  readonly menuLabelOf: (row: Row) => string;
}

const padding = 24;
const moreWidth = 36;
const buttonsWidth = (buttons: readonly RowButton[]) => buttons.reduce((sum, { title }) => sum + 20 + textWidth(title), padding);

/** Lays out the buttons of one row: the visible ones, those in the menu, and the width in pixels. */
function layoutButtons(row: Row | undefined, { buttons, availableWidth }: Pick<RowActions, 'buttons' | 'availableWidth'>) {
  const offered = row ? buttons.filter(({ isOffered }) => isOffered?.(row) ?? true) : buttons;
  if (buttonsWidth(offered) <= availableWidth) return { shown: offered, overflow: [], width: buttonsWidth(offered) };
  const fit = offered.findIndex((_, index) => buttonsWidth(offered.slice(0, index + 1)) + moreWidth > availableWidth);
  const shown = offered.slice(0, fit);
  return { shown, overflow: offered.slice(fit), width: buttonsWidth(shown) + moreWidth };
}

/** Returns the column of the row actions; it is pinned and as wide as its widest row. */
export function actionColumn({ rows, title, menuLabelOf, ...laid }: RowActions): TableColumnProps<Row> {
  const widths = (rows.length > 0 ? rows : [undefined]).map((row) => layoutButtons(row, laid).width);
  return {
    key: ':actions',
    title,
    fixed: 'right',
    width: Math.max(32 + textWidth(title), ...widths),
    render: (_: unknown, row) => <RowButtons row={row} label={menuLabelOf(row)} {...layoutButtons(row, laid)} />,
  };
}

interface RowButtonsProps {
  readonly row: Row;
  readonly label: string;
  readonly shown: readonly RowButton[];
  readonly overflow: readonly RowButton[];
}

function RowButtons({ row, label, shown, overflow }: RowButtonsProps) {
  const choices = overflow.map(({ key, title, isDisabled = false, onClick }) => ({ key, label: title, isDisabled, onChoose: () => onClick(row) }));
  return (
    <span className="crud-table__actions">
      {shown.map(({ key, title, isDanger, isDisabled, onClick }) => (
        <button
          key={key}
          type="button"
          className={isDanger ? 'crud-table__action crud-table__action_danger' : 'crud-table__action'}
          disabled={isDisabled ?? false}
          onClick={(event) => {
            event.stopPropagation();
            onClick(row);
          }}
        >
          {title}
        </button>
      ))}
      {choices.length > 0 && <RowMenu label={label} choices={choices} />}
    </span>
  );
}

interface RowMenuProps {
  readonly label: string;
  readonly choices: readonly MenuChoice[];
}

/** Renders the actions of a row behind one button where the row is too narrow. The positioning code mounts with its first use. */
function RowMenu({ label, choices }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState<boolean>();
  const anchorRef = useRef<HTMLSpanElement>(null);
  const close = () => {
    setIsOpen(false);
    anchorRef.current?.querySelector('button')?.focus();
  };
  const button = (
    <button
      type="button"
      className="crud-table__action"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={isOpen ?? false}
      onClick={isOpen === undefined ? () => setIsOpen(true) : undefined}
    >
      <Icon name="more" />
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stops clicks in the menu from counting as clicks on the row and is no control itself
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <span ref={anchorRef} onClick={(event) => event.stopPropagation()}>
      {isOpen === undefined ? (
        button
      ) : (
        <Trigger
          trigger="click"
          position="br"
          unmountOnExit
          popupVisible={isOpen}
          onVisibleChange={setIsOpen}
          // The popup is mounted beside the table, which would clip it, and inside the page, which hides it with its tab.
          getPopupContainer={(opener) => opener.closest('.crud-table') ?? document.body}
          popup={() => (
            <div className="crud-row-menu">
              <MenuList label={label} choices={choices} onDone={close} onLeave={() => setIsOpen(false)} />
            </div>
          )}
        >
          {button}
        </Trigger>
      )}
    </span>
  );
}

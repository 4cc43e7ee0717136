import { Trigger } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { Icon } from '../../shell/Icon.tsx';
import { type MenuChoice, MenuList } from '../../shell/MenuList.tsx';

interface RowMenuProps {
  readonly label: string;
  readonly choices: readonly MenuChoice[];
}

/** What can be done with a row, behind one button where there is no room for more. What places the menu is there from when it is first wanted. */
export function RowMenu({ label, choices }: RowMenuProps) {
  const [isOpen, setOpen] = useState<boolean>();
  const place = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  };
  const button = (
    <button
      type="button"
      className="crud-table__action"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={isOpen ?? false}
      onClick={isOpen === undefined ? () => setOpen(true) : undefined}
    >
      <Icon name="more" />
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps what happens in the menu from counting as a click on the row, and is none itself
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <span ref={place} onClick={(event) => event.stopPropagation()}>
      {isOpen === undefined ? (
        button
      ) : (
        <Trigger
          trigger="click"
          position="br"
          unmountOnExit
          popupVisible={isOpen}
          onVisibleChange={setOpen}
          // Beside the table, which would clip it, and inside the page, which hides it with its tab.
          getPopupContainer={(opener) => opener.closest('.crud-table') ?? document.body}
          popup={() => (
            <div className="crud-row-menu">
              <MenuList label={label} choices={choices} onDone={close} onLeave={() => setOpen(false)} />
            </div>
          )}
        >
          {button}
        </Trigger>
      )}
    </span>
  );
}

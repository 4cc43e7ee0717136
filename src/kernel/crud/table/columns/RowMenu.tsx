import { Trigger } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import { type MenuChoice, MenuList } from '../../../ui/menus/MenuList.tsx';
import { Icon } from '../../../ui/primitives/Icon.tsx';

interface RowMenuProps {
  readonly label: string;
  readonly choices: readonly MenuChoice[];
}

/** Renders the actions of a row behind one button where the row is too narrow. The positioning code mounts with its first use. */
export function RowMenu({ label, choices }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState<boolean>();
  const place = useRef<HTMLSpanElement>(null);
  const close = () => {
    setIsOpen(false);
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
      onClick={isOpen === undefined ? () => setIsOpen(true) : undefined}
    >
      <Icon name="more" />
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stops clicks in the menu from counting as clicks on the row and is no control itself
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

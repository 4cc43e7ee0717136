import { Button, Trigger } from '@arco-design/web-react';
import { type ReactNode, Suspense, useState } from 'react';

interface ToolButtonProps {
  readonly title: string;
  readonly icon: ReactNode;
  /** True: what the tool is for is in force. */
  readonly isOn?: boolean;
  readonly panel: (close: () => void) => ReactNode;
}

/** A tool of the table, whose panel is fetched when it is first opened and stands inside the page. */
export function ToolButton({ title, icon, isOn = false, panel }: ToolButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Trigger
      trigger="click"
      position="br"
      escToClose
      unmountOnExit
      popupVisible={isOpen}
      onVisibleChange={setOpen}
      getPopupContainer={(button) => button.closest('.crud-toolbar') ?? document.body}
      popup={() => <Suspense fallback={<div className="crud-popup" />}>{panel(() => setOpen(false))}</Suspense>}
    >
      <Button icon={icon} aria-label={title} title={title} aria-expanded={isOpen} aria-haspopup="dialog" className={isOn ? 'crud-toolbar__tool_on' : ''} />
    </Trigger>
  );
}

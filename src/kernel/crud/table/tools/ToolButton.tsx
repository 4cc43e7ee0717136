import { Button, Trigger } from '@arco-design/web-react';
import { type ReactNode, Suspense, useState } from 'react';

interface ToolButtonProps {
  readonly title: string;
  readonly icon: ReactNode;
  /** True when the tool is active, such as a filter that applies. */
  readonly isOn?: boolean;
  readonly panel: (close: () => void) => ReactNode;
}

/** Renders a tool of the table; its panel is loaded when it is first opened and is mounted inside the page. */
export function ToolButton({ title, icon, isOn = false, panel }: ToolButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Trigger
      trigger="click"
      position="br"
      escToClose
      unmountOnExit
      popupVisible={isOpen}
      onVisibleChange={setIsOpen}
      getPopupContainer={(button) => button.closest('.crud-toolbar') ?? document.body}
      popup={() => <Suspense fallback={<div className="crud-popup" />}>{panel(() => setIsOpen(false))}</Suspense>}
    >
      <Button icon={icon} aria-label={title} title={title} aria-expanded={isOpen} aria-haspopup="dialog" className={isOn ? 'crud-toolbar__tool_on' : ''} />
    </Trigger>
  );
}

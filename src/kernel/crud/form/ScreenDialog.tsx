import { Modal } from '@arco-design/web-react';
import type { ReactNode } from 'react';

interface ScreenDialogProps {
  readonly title: string;
  /** Width in pixels. */
  readonly width: number;
  readonly container: () => Element;
  /** False if a click beside the dialog must not close it, because input would be lost. */
  readonly maskClosable?: boolean;
  readonly footer?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The dialog itself holds the calendars and lists of its fields: its content scrolls, which would cut them off. */
const dialogOf = (node: HTMLElement) => node.closest('.arco-modal-content')?.parentElement ?? document.body;

/** Renders a dialog of a generic screen inside the screen's tab, so that it is hidden with the tab. */
export function ScreenDialog({ title, width, container, maskClosable = true, footer = null, onClose, children }: ScreenDialogProps) {
  return (
    <Modal
      visible
      className="crud-dialog"
      style={{ width }}
      title={title}
      getPopupContainer={container}
      getChildrenPopupContainer={dialogOf}
      maskClosable={maskClosable}
      onCancel={onClose}
      footer={footer}
    >
      {children}
    </Modal>
  );
}

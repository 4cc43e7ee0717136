import { Modal } from '@arco-design/web-react';
import type { ReactNode } from 'react';

interface ScreenDialogProps {
  readonly title: string;
  /** Width in pixels. */
  readonly width: number;
  readonly container: () => Element;
  /** True when the dialog has input to lose: a click beside it does not close it then. */
  readonly isKept?: boolean;
  readonly footer?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Renders a dialog of a generic screen inside the screen's tab, so that it is hidden with the tab. */
export function ScreenDialog({ title, width, container, isKept = false, footer = null, onClose, children }: ScreenDialogProps) {
  return (
    <Modal
      visible
      className="crud-dialog"
      style={{ width }}
      title={title}
      getPopupContainer={container}
      maskClosable={!isKept}
      onCancel={onClose}
      footer={footer}
    >
      {children}
    </Modal>
  );
}

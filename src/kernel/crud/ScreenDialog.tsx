import { Modal } from '@arco-design/web-react';
import type { ReactNode } from 'react';

interface ScreenDialogProps {
  readonly title: string;
  /** Pixels. */
  readonly width: number;
  readonly container: () => Element;
  /** Something is typed or chosen in it: a click beside it does not close it. */
  readonly isKept?: boolean;
  readonly footer?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog of a generic screen. It stands in the screen's tab, and is hidden with it. */
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

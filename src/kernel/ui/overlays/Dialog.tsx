import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Width in pixels on screens that are wide enough. */
  readonly maxWidth?: number;
  /** True while Escape must not close it. */
  readonly staysOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a modal dialog with a heading; Escape closes it. */
export function Dialog({ title, maxWidth = 420, staysOpen = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The cleanup of a layout effect runs while the element is still in the page: only then does the browser return the focus to the opener.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      style={{ width: `min(${maxWidth}px, calc(100vw - 32px))` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!staysOpen) onClose();
      }}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

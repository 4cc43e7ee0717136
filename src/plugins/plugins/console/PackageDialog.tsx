import { Button, type ButtonProps } from '@arco-design/web-react';
import type { ReactNode } from 'react';
import { Dialog, type Mutation, useTranslation } from '#kernel';
import { pluginMessages } from './messages.ts';
import styles from './plugins.module.css';

interface PackageDialogProps {
  readonly title: string;
  readonly maxWidth: number;
  /** Change that the dialog asks about; its refusal is shown in the dialog. */
  readonly mutation: Pick<Mutation<never>, 'isPending' | 'error'>;
  /** Label of the button that confirms. */
  readonly confirm: string;
  readonly status?: ButtonProps['status'];
  readonly isReading?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before a package is changed; it stays open while the change runs, and if it is refused. */
export function PackageDialog({ title, maxWidth, mutation, confirm, status, isReading = false, onConfirm, onClose, children }: PackageDialogProps) {
  const t = useTranslation();
  const { isPending, error } = mutation;
  return (
    <Dialog title={title} maxWidth={maxWidth} staysOpen={isPending} onClose={onClose}>
      <div className={styles.package} aria-busy={isReading}>
        {children}
        {error && (
          <p className={styles.refusal} role="alert">
            {error}
          </p>
        )}
      </div>
      <div className={styles.answers}>
        <Button disabled={isPending} onClick={onClose}>
          {t(pluginMessages.cancelInstall)}
        </Button>
        <Button type="primary" {...(status ? { status } : {})} loading={isPending} disabled={isReading} onClick={() => void onConfirm()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}

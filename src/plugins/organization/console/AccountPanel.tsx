import { Button } from '@arco-design/web-react';
import { SidePanel, useCan, useTranslation } from '#kernel';
import { type UserRow, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import { PasswordReset } from './PasswordReset.tsx';
import { PlatformForm } from './PlatformForm.tsx';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

interface AccountPanelProps {
  readonly of: UserRow;
  readonly onClose: () => void;
  readonly onChanged: () => void;
  readonly onReset: () => Promise<void>;
}

/** Panel of a user's account access: status, password, lock, second factor and platform. */
export function AccountPanel({ of, onClose, onChanged, onReset }: AccountPanelProps) {
  const t = useTranslation();
  const { toggle, unlock, resetFactor } = useUserActions();
  const may = {
    reset: useCan('user_reset'),
    status: useCan('user_status'),
    unlock: useCan('user_unlock'),
    factor: useCan('user_reset_mfa'),
    platform: useCan('user_platform'),
  };
  const done = () => {
    onChanged();
    onClose();
  };
  return (
    <SidePanel open title={t(consoleMessages.accountOf, { name: of.realName })} width={560} onClose={onClose}>
      <div className={styles.panel}>
        {may.reset && <PasswordReset onReset={onReset} />}
        {(may.status || may.unlock || may.factor) && (
          <section className={styles.part}>
            <h3>{t(consoleMessages.access)}</h3>
            <div className={styles.buttons}>
              {may.status && (
                <Button onClick={() => void toggle(of, { reload: done })}>
                  {t(of.status === userStatus.enabled ? consoleMessages.disable : consoleMessages.enable)}
                </Button>
              )}
              {may.unlock && <Button onClick={() => void unlock(of)}>{t(consoleMessages.unlock)}</Button>}
              {may.factor && <Button onClick={() => void resetFactor(of)}>{t(consoleMessages.resetFactor)}</Button>}
            </div>
          </section>
        )}
        {may.platform && <PlatformForm of={of} onSaved={done} />}
      </div>
    </SidePanel>
  );
}

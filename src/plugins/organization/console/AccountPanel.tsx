import { Button } from '@arco-design/web-react';
import { SidePanel, useCan, useWords } from '#kernel';
import { type UserRow, userStatus } from '../contract.ts';
import { PasswordReset } from './PasswordReset.tsx';
import { PlatformForm } from './PlatformForm.tsx';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';
import { consoleWords } from './words.ts';

interface AccountPanelProps {
  readonly of: UserRow;
  readonly onClose: () => void;
  readonly onChanged: () => void;
  readonly onReset: () => Promise<void>;
}

/** Panel of a user's account access: status, password, lock, second factor and platform. */
export function AccountPanel({ of, onClose, onChanged, onReset }: AccountPanelProps) {
  const say = useWords();
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
    <SidePanel open title={say(consoleWords.accountOf, { name: of.realName })} width={560} onClose={onClose}>
      <div className={styles.panel}>
        {may.reset && <PasswordReset onReset={onReset} />}
        {(may.status || may.unlock || may.factor) && (
          <section className={styles.part}>
            <h3>{say(consoleWords.access)}</h3>
            <div className={styles.buttons}>
              {may.status && (
                <Button onClick={() => void toggle(of, { reload: done })}>
                  {say(of.status === userStatus.enabled ? consoleWords.disable : consoleWords.enable)}
                </Button>
              )}
              {may.unlock && <Button onClick={() => void unlock(of)}>{say(consoleWords.unlock)}</Button>}
              {may.factor && <Button onClick={() => void resetFactor(of)}>{say(consoleWords.resetFactor)}</Button>}
            </div>
          </section>
        )}
        {may.platform && <PlatformForm of={of} onSaved={done} />}
      </div>
    </SidePanel>
  );
}

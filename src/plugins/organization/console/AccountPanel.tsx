import { Button, Input, Radio } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { type CrudScreen, SidePanel, Toasts, useCan, useMutation, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { traitsOf } from '#shared/fields';
import { UserAccount, type UserRow, user, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

interface AccountPanelProps {
  readonly of: UserRow;
  readonly onClose: () => void;
  readonly screen: CrudScreen<UserRow>;
  readonly onReset: () => Promise<boolean>;
}

/** Panel of a user's account access: status, password, lock, second factor and platform. */
export function AccountPanel({ of, screen, onClose, onReset }: AccountPanelProps) {
  const t = useTranslation();
  const { setStatus, unlock, resetFactor } = useUserActions();
  const may = {
    reset: useCan('user_reset'),
    status: useCan('user_status'),
    unlock: useCan('user_unlock'),
    factor: useCan('user_reset_mfa'),
    platform: useCan('user_platform'),
  };
  const done = () => {
    screen.reload();
    onClose();
  };
  const toggle = async () => {
    const status = of.status === userStatus.enabled ? userStatus.disabled : userStatus.enabled;
    if (await screen.batch([of.id], setStatus(status))) onClose();
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
                <Button onClick={() => void toggle()}>{t(of.status === userStatus.enabled ? consoleMessages.disable : consoleMessages.enable)}</Button>
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

/** Button that replaces a user's password by a generated one. */
function PasswordReset({ onReset }: { readonly onReset: () => Promise<boolean> }) {
  const t = useTranslation();
  const { isPending, mutate } = useMutation(onReset);
  return (
    <section className={styles.part}>
      <h3>{t(consoleMessages.reset)}</h3>
      <p className={styles.hint}>{t(consoleMessages.resetHint)}</p>
      <div className={styles.buttons}>
        <Button type="primary" loading={isPending} onClick={() => void mutate()}>
          {t(consoleMessages.reset)}
        </Button>
      </div>
    </section>
  );
}

interface PlatformFormProps {
  readonly of: UserRow;
  readonly onSaved: () => void;
}

/** Form for a user's platform and the details that platform stores about them. */
function PlatformForm({ of, onSaved }: PlatformFormProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [userType, setUserType] = useState(of.userType);
  const [userExt, setUserExt] = useState(of.userExt ?? '');
  const isChanged = userType !== of.userType || userExt !== (of.userExt ?? '');
  useUnsavedChanges(isChanged);
  const { isPending, mutate } = useMutation(user.updatePlatform, {
    onSuccess: () => {
      toasts.success(t(consoleMessages.saved));
      onSaved();
    },
  });
  const { userType: type, userExt: ext } = UserAccount.fields;
  return (
    <section className={styles.part}>
      <h3>{t(consoleMessages.platform)}</h3>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t(traitsOf(type)?.title ?? consoleMessages.platform)}</legend>
        <Radio.Group value={userType} onChange={setUserType}>
          {traitsOf(type)?.options?.map(([value, title]) => (
            <Radio key={value} value={value}>
              {t(title)}
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      <label htmlFor={id}>{t(traitsOf(ext)?.title ?? consoleMessages.platform)}</label>
      <Input.TextArea id={id} rows={6} maxLength={20_000} value={userExt} onChange={setUserExt} />
      <div className={styles.buttons}>
        <Button type="primary" loading={isPending} disabled={!isChanged} onClick={() => void mutate({ userId: of.id, userType, userExt: userExt || null })}>
          {t(consoleMessages.save)}
        </Button>
      </div>
    </section>
  );
}

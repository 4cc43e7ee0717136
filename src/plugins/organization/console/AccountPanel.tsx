import { Button, Input, Radio } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { type CrudScreen, SidePanel, Toasts, useCan, useMutation, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { traitsOf } from '#shared/fields';
import { UserAccount, type UserRow, user as userCalls, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import { SignInState } from './SignInState.tsx';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

interface AccountPanelProps {
  readonly user: UserRow;
  readonly onClose: () => void;
  readonly screen: CrudScreen<UserRow>;
  readonly onReset: () => Promise<boolean>;
}

/** Panel of a user's account: how they sign in, and their platform. */
export function AccountPanel({ user, screen, onClose, onReset }: AccountPanelProps) {
  const t = useTranslation();
  const { setStatus } = useUserActions();
  const mayPlatform = useCan('user_platform');
  const done = () => {
    screen.reload();
    onClose();
  };
  const toggle = async () => {
    const status = user.status === userStatus.enabled ? userStatus.disabled : userStatus.enabled;
    if (await screen.batch([user.id], setStatus(status))) onClose();
  };
  return (
    <SidePanel open title={t(consoleMessages.accountOf, { name: user.realName })} width={560} onClose={onClose}>
      <div className={styles.panel}>
        <SignInState user={user} onToggle={() => void toggle()} onReset={onReset} />
        {mayPlatform && <PlatformForm user={user} onSaved={done} />}
      </div>
    </SidePanel>
  );
}

interface PlatformFormProps {
  readonly user: UserRow;
  readonly onSaved: () => void;
}

/** Form for a user's platform and the details that platform stores about them. */
function PlatformForm({ user, onSaved }: PlatformFormProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [userType, setUserType] = useState(user.userType);
  const [userExt, setUserExt] = useState(user.userExt ?? '');
  const isChanged = userType !== user.userType || userExt !== (user.userExt ?? '');
  useUnsavedChanges(isChanged);
  const { isPending, mutate } = useMutation(userCalls.updatePlatform, {
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
        <Button type="primary" loading={isPending} disabled={!isChanged} onClick={() => void mutate({ userId: user.id, userType, userExt: userExt || null })}>
          {t(consoleMessages.save)}
        </Button>
      </div>
    </section>
  );
}

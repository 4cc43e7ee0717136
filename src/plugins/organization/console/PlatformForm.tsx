import { Button, Input, Radio } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { Http, Toasts, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { traitsOf } from '#shared/fields';
import { UserAccount, type UserRow, user } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';

interface PlatformFormProps {
  readonly of: UserRow;
  readonly onSaved: () => void;
}

/** Form for a user's platform and the details that platform stores about them. */
export function PlatformForm({ of, onSaved }: PlatformFormProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [userType, setUserType] = useState(of.userType);
  const [userExt, setUserExt] = useState(of.userExt ?? '');
  const [isSaving, setIsSaving] = useState(false);
  const isChanged = userType !== of.userType || userExt !== (of.userExt ?? '');
  useUnsavedChanges(isChanged);
  const save = async () => {
    setIsSaving(true);
    const answer = await http.send(user.updatePlatform, { userId: of.id, userType, userExt: userExt || null }).finally(() => setIsSaving(false));
    if (!answer.success) return;
    toasts.success(t(consoleMessages.saved));
    onSaved();
  };
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
        <Button type="primary" loading={isSaving} disabled={!isChanged} onClick={() => void save()}>
          {t(consoleMessages.save)}
        </Button>
      </div>
    </section>
  );
}

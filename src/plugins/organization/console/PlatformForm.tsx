import { Button, Input, Radio } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { Http, Toasts, useService, useUnsavedChanges, useWords } from '#kernel';
import { traitsOf } from '#shared/fields';
import { UserAccount, type UserRow, user } from '../contract.ts';
import styles from './UserPage.module.css';
import { consoleWords } from './words.ts';

interface PlatformFormProps {
  readonly of: UserRow;
  readonly onSaved: () => void;
}

/** Form for a user's platform and the details that platform stores about them. */
export function PlatformForm({ of, onSaved }: PlatformFormProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
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
    toasts.success(say(consoleWords.saved));
    onSaved();
  };
  const { userType: type, userExt: ext } = UserAccount.fields;
  return (
    <section className={styles.part}>
      <h3>{say(consoleWords.platform)}</h3>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{say(traitsOf(type)?.title ?? consoleWords.platform)}</legend>
        <Radio.Group value={userType} onChange={setUserType}>
          {traitsOf(type)?.options?.map(([value, title]) => (
            <Radio key={value} value={value}>
              {say(title)}
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      <label htmlFor={id}>{say(traitsOf(ext)?.title ?? consoleWords.platform)}</label>
      <Input.TextArea id={id} rows={6} maxLength={20_000} value={userExt} onChange={setUserExt} />
      <div className={styles.buttons}>
        <Button type="primary" loading={isSaving} disabled={!isChanged} onClick={() => void save()}>
          {say(consoleWords.save)}
        </Button>
      </div>
    </section>
  );
}

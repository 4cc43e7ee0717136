import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ScreenLock } from '../../platform/lock/screen-lock.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { SubmitButton } from '../../ui/fields/SubmitButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { IdleChoice } from './IdleChoice.tsx';
import styles from './LockDialog.module.css';

/** Asks for the password that unlocks the screen and locks it; also sets the idle time before an automatic lock. */
export default function LockDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const lock = useService(ScreenLock);
  const field = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const { isPending, error, mutate } = useMutation(
    async () => {
      setProblem(password === '' ? t('lock.enterPassword') : undefined);
      if (password !== '') return lock.lock(password);
      field.current?.focus();
      return false;
    },
    { onSuccess: onClose },
  );

  useEffect(() => field.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate();
  };

  return (
    <Dialog title={t('lock.setFirst')} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p className={styles.explained}>{t('lock.explained')}</p>
        <PasswordField
          ref={field}
          name="lockPassword"
          label={t('lock.password')}
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            setProblem(undefined);
          }}
          autoComplete="off"
          problem={problem}
          describedBy={error && errorId}
        />
        <p id={errorId} className={styles.failure} role="alert">
          {error}
        </p>
        <div className={styles.divided}>
          <IdleChoice />
        </div>
        <div className={styles.buttons}>
          <button type="button" className={styles.cancel} onClick={onClose}>
            {t('lock.cancel')}
          </button>
          <SubmitButton isBusy={isPending}>{t('lock.confirm')}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}

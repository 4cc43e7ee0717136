import { type FormEvent, useId, useRef, useState } from 'react';
import { ActionButton, Dialog, Http, PasswordField, Session, SubmitButton, useMutation, useService, useTranslation } from '#kernel';
import { type PayeeNumbers, type PayeeRow, payee } from '../contract.ts';
import { payeeMessages } from './messages.ts';
import styles from './payee.module.css';

interface RevealDialogProps {
  readonly row: PayeeRow;
  readonly onRevealed: (numbers: PayeeNumbers) => void;
  readonly onClose: () => void;
}

/** Shows the numbers of a payee in the clear, after users have entered their own password. They are gone once the dialog closes. */
export default function RevealDialog({ row, onRevealed, onClose }: RevealDialogProps) {
  const t = useTranslation();
  const [numbers, setNumbers] = useState<PayeeNumbers>();
  const show = (found: PayeeNumbers) => {
    setNumbers(found);
    onRevealed(found);
  };
  return (
    <Dialog title={`${t(payeeMessages.reveal)} · ${row.name ?? row.nickName}`} maxWidth={440} onClose={onClose}>
      {numbers ? <Numbers numbers={numbers} onClose={onClose} /> : <PasswordForm id={row.id} onShown={show} onClose={onClose} />}
    </Dialog>
  );
}

interface PasswordFormProps {
  readonly id: string;
  readonly onShown: (numbers: PayeeNumbers) => void;
  readonly onClose: () => void;
}

function PasswordForm({ id, onShown, onClose }: PasswordFormProps) {
  const t = useTranslation();
  const http = useService(Http);
  const account = useService(Session).user?.account ?? '';
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const { isPending, mutate } = useMutation(async () => {
    const answer = await http.send(payee.reveal, { id, password }, { quiet: true });
    if (answer.success) onShown(answer.data);
    else setFailure(answer.msg);
    return answer;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(password === '' ? t(payeeMessages.passwordMissing) : undefined);
    if (password === '') field.current?.focus();
    else void mutate();
  };
  return (
    <form className={styles.reveal} noValidate onSubmit={submit}>
      <p>{t(payeeMessages.revealHint)}</p>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        ref={field}
        name="password"
        label={t(payeeMessages.password)}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        describedBy={failure && failureId}
      />
      <p id={failureId} className={styles.failure} role="alert">
        {failure}
      </p>
      <div className={styles.buttons}>
        <ActionButton onClick={onClose}>{t(payeeMessages.cancel)}</ActionButton>
        <SubmitButton isBusy={isPending}>{t(isPending ? payeeMessages.waiting : payeeMessages.show)}</SubmitButton>
      </div>
    </form>
  );
}

function Numbers({ numbers, onClose }: { readonly numbers: PayeeNumbers; readonly onClose: () => void }) {
  const t = useTranslation();
  return (
    <div className={styles.reveal}>
      <dl className={styles.numbers}>
        {(['documentNo', 'alipayAccount', 'bankCard'] as const).map((name) => (
          <div key={name}>
            <dt>{t(payeeMessages[name])}</dt>
            <dd>{numbers[name] ?? t(payeeMessages.none)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.buttons}>
        <ActionButton onClick={onClose}>{t(payeeMessages.close)}</ActionButton>
      </div>
    </div>
  );
}

import qrcode from 'qrcode-generator';
import { type FormEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import {
  ActionButton,
  type ActionResult,
  copyText,
  Dialog,
  Http,
  loadingMessages,
  PasswordField,
  Session,
  SubmitButton,
  saveFile,
  TextField,
  Toasts,
  useMutation,
  useService,
  useTranslation,
} from '#kernel';
import { secondFactor } from '#shared/second-factor';
import { accountMessages } from './messages.ts';
import styles from './sections.module.css';
import stepStyles from './steps.module.css';

/** Names the change to the second factor that the dialog carries out. */
export type SecondFactorChange = 'enrol' | 'disable' | 'renew';

const titles = { enrol: accountMessages.enrol, disable: accountMessages.disable, renew: accountMessages.renewCodes } as const;
const reasons = { enrol: accountMessages.enrolWhy, disable: accountMessages.disableWhy, renew: accountMessages.renewWhy } as const;

/** Asks for the password first and then makes the change; recovery codes are shown only once. */
export default function SecondFactorDialog({ change, onClose }: { readonly change: SecondFactorChange; readonly onClose: () => void }) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const [enrolment, setEnrolment] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();

  const confirmPassword = async (password: string): Promise<ActionResult> => {
    const quiet = { quiet: true };
    if (change === 'enrol') {
      const answer = await http.send(secondFactor.enrol, { password }, quiet);
      if (answer.success) setEnrolment(answer.data);
      return { success: answer.success, message: answer.msg };
    }
    if (change === 'renew') {
      const answer = await http.send(secondFactor.renewCodes, { password }, quiet);
      if (answer.success) setCodes(answer.data.recoveryCodes);
      return { success: answer.success, message: answer.msg };
    }
    const answer = await http.send(secondFactor.disable, { password }, quiet);
    if (!answer.success) return { success: false, message: answer.msg };
    toasts.success(t(accountMessages.secondFactorOff));
    onClose();
    return { success: true };
  };
  const confirm = async (code: string): Promise<ActionResult> => {
    const answer = await http.send(secondFactor.confirm, { code }, { quiet: true });
    if (!answer.success) return { success: false, message: answer.msg };
    toasts.success(t(accountMessages.secondFactorOn));
    setCodes(answer.data.recoveryCodes);
    return { success: true };
  };

  return (
    // Escape must not close the dialog while it shows codes that cannot be shown again.
    <Dialog title={t(codes ? accountMessages.codesTitle : titles[change])} maxWidth={500} staysOpen={codes !== undefined} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : enrolment ? (
        <EnrolStep {...enrolment} onConfirm={confirm} onClose={onClose} />
      ) : (
        <PasswordStep reason={t(reasons[change])} onConfirm={confirmPassword} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface PasswordStepProps {
  readonly reason: string;
  readonly onConfirm: (password: string) => Promise<ActionResult>;
  readonly onClose: () => void;
}

/** Asks for the password again before the settings that protect the account change. */
function PasswordStep({ reason, onConfirm, onClose }: PasswordStepProps) {
  const t = useTranslation();
  const account = useService(Session).user?.account ?? '';
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [password, setPassword] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { error: failure, isPending: isBusy, mutate: run } = useMutation(onConfirm, { quiet: true });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(password === '');
    if (password === '' || !(await run(password))) field.current?.focus();
  };
  return (
    <StepForm reason={reason} proceed={t(accountMessages.next)} {...{ failure, failureId, isBusy, onClose }} onSubmit={submit}>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        ref={field}
        name="password"
        label={t(accountMessages.confirmPassword)}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
        describedBy={failure && failureId}
        problem={isMissing && password === '' ? t(accountMessages.enterPassword) : undefined}
      />
    </StepForm>
  );
}

/** Shows the recovery codes for a lost authenticator, to copy or to download; they are shown only once. */
function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const t = useTranslation();
  const account = useService(Session).user?.account ?? '';
  const text = codes.join('\n');
  const download = () => saveFile(`${t(accountMessages.codesFile)}-${account}.txt`, new Blob([`${text}\n`], { type: 'text/plain' }));
  return (
    <form
      className={stepStyles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <p className={stepStyles.reason}>{t(accountMessages.codesHint)}</p>
      <ul className={stepStyles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyText value={text} />
        <ActionButton onClick={download}>{t(accountMessages.download)}</ActionButton>
        <SubmitButton isBusy={false}>{t(accountMessages.codesKept)}</SubmitButton>
      </div>
    </form>
  );
}

interface EnrolStepProps {
  readonly secret: string;
  readonly uri: string;
  readonly onConfirm: (code: string) => Promise<ActionResult>;
  readonly onClose: () => void;
}

/** Shows the secret for an authenticator app, as a QR code and as text, and asks for its first code. */
function EnrolStep({ secret, uri, onConfirm, onClose }: EnrolStepProps) {
  const t = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { error: failure, isPending: isBusy, mutate: run } = useMutation(onConfirm, { quiet: true });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const normalizedCode = code.replace(/\s/g, '');
    setIsMissing(normalizedCode === '');
    if (normalizedCode !== '' && (await run(normalizedCode))) return;
    if (normalizedCode !== '') setCode('');
    field.current?.focus();
  };
  return (
    <StepForm reason={t(accountMessages.scan)} proceed={t(accountMessages.turnOn)} {...{ failure, failureId, isBusy, onClose }} onSubmit={submit}>
      <div className={stepStyles.enrol}>
        <QrCode value={uri} label={t(accountMessages.qrCode)} />
        <div className={stepStyles.secret}>
          <span>{t(accountMessages.secret)}</span>
          <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          <CopyText value={secret} />
        </div>
      </div>
      <TextField
        ref={field}
        name="code"
        label={t(accountMessages.code)}
        value={code}
        onChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        autoFocus
        describedBy={failure && failureId}
        problem={isMissing && code === '' ? t(accountMessages.enterCode) : undefined}
      />
    </StepForm>
  );
}

/** Draws black on white in every theme, with the quiet zone that cameras need. */
function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const [path, size] = useMemo(() => {
    const code = qrcode(0, 'M');
    code.addData(value);
    code.make();
    const count = code.getModuleCount();
    const squares: string[] = [];
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) if (code.isDark(row, column)) squares.push(`M${column} ${row}h1v1h-1z`);
    return [squares.join(''), count];
  }, [value]);
  return (
    <svg className={stepStyles.qr} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  );
}

interface StepFormProps {
  readonly reason: string;
  /** Error message of the last attempt; its element has the id `failureId`. */
  readonly failure: string | undefined;
  readonly failureId: string;
  readonly isBusy: boolean;
  /** Label of the submit button. */
  readonly proceed: string;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Renders one step of a setup: the reason, the fields, the error and the buttons to continue or cancel. */
function StepForm({ reason, failure, failureId, isBusy, proceed, onSubmit, onClose, children }: StepFormProps) {
  const t = useTranslation();
  return (
    <form className={stepStyles.form} noValidate onSubmit={onSubmit}>
      <p className={stepStyles.reason}>{reason}</p>
      {children}
      <p id={failureId} className={stepStyles.failure} role="alert">
        {failure}
      </p>
      <div className={styles.buttons}>
        <ActionButton onClick={onClose}>{t('shell.cancel')}</ActionButton>
        <SubmitButton isBusy={isBusy}>{isBusy ? t(loadingMessages.waiting) : proceed}</SubmitButton>
      </div>
    </form>
  );
}

/** Copies a text to the clipboard and reports whether that worked. */
function CopyText({ value }: { readonly value: string }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const copy = async () => {
    if (await copyText(value)) toasts.success(t(accountMessages.copied));
    else toasts.error(t(accountMessages.copyFailed));
  };
  return <ActionButton onClick={() => void copy()}>{t(accountMessages.copy)}</ActionButton>;
}

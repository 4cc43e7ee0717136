import qrcode from 'qrcode-generator';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { TextField, useTranslation } from '#kernel';
import { accountMessages } from './messages.ts';
import { CopyText, StepForm, useAttempt } from './StepForm.tsx';
import styles from './steps.module.css';

interface EnrolStepProps {
  readonly secret: string;
  readonly uri: string;
  /** Resolves with an error message, or with `undefined` when the code was right. */
  readonly onConfirm: (code: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Shows the secret for an authenticator app, as a QR code and as text, and asks for its first code. */
export function EnrolStep({ secret, uri, onConfirm, onClose }: EnrolStepProps) {
  const t = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const failureId = useId();
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { failure, isBusy, run } = useAttempt(onConfirm);

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
      <div className={styles.enrol}>
        <QrCode value={uri} label={t(accountMessages.qrCode)} />
        <div className={styles.secret}>
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
    <svg className={styles.qr} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  );
}

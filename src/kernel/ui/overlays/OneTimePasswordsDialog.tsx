import { Button, Modal, Radio } from '@arco-design/web-react';
import { useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { escapeFormula } from '#shared/formats';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { useService } from '../../base/react/services.tsx';
import { basePath } from '../../platform/browser/base-path.ts';
import { copyText } from '../../platform/browser/copy-text.ts';
import { saveFile } from '../../platform/browser/save-file.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { invitationLink } from '../../platform/session/invitation.ts';
import { Session } from '../../platform/session/session.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import styles from './OneTimePasswordsDialog.module.css';
import { usePrinted } from './use-printed.ts';

/** Newly generated passwords of accounts. */
export interface OneTimePasswordsProps {
  readonly passwords: readonly OneTimePassword[];
  /** E-mails new passwords to these accounts and returns those that get one. */
  readonly onMail?: ((ids: readonly string[]) => Promise<readonly string[]>) | undefined;
  readonly onClose: () => void;
}

interface PasswordSlip extends Pick<OneTimePassword, 'id' | 'account' | 'realName' | 'expiresAt'> {
  /** The password, or the invitation link that contains it. */
  readonly secret: string;
}

/**
 * Shows passwords, or invitation links that contain them, in a dialog inside its tab. Closing asks for confirmation until they have been copied, downloaded or
 * printed.
 */
export default function OneTimePasswordsDialog({ passwords, onMail, onClose }: OneTimePasswordsProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const tenantId = useService(Session).user?.tenant_id ?? '';
  const containerRef = useRef<HTMLDivElement>(null);
  const [isSaved, setIsSaved] = useState(false);
  const [isPrinting, setIsPrinting] = useState(false);
  const [showsLinks, setShowsLinks] = useState(false);
  const [mailedIds, setMailedIds] = useState<readonly string[]>([]);
  const remaining = passwords.filter(({ id }) => !mailedIds.includes(id));
  const mailable = onMail ? remaining.filter(({ isMailable }) => isMailable) : [];
  const slips = remaining.map((entry): PasswordSlip => ({ ...entry, secret: showsLinks ? invitationLink({ ...entry, tenantId }) : entry.password }));
  const title = t(showsLinks ? 'passwords.asLink' : 'passwords.asPassword');
  const heading = [t('passwords.name'), t('passwords.account'), t(showsLinks ? 'passwords.link' : 'passwords.password')];
  const rows = slips.map(({ account, realName, secret }) => [realName, account, secret]);

  const copy = async () => {
    const isCopied = await copyText([heading, ...rows].map((row) => row.join('\t')).join('\n'));
    if (!isCopied) return toasts.warning(t('passwords.copyFailed'));
    setIsSaved(true);
    toasts.success(t('passwords.copied'));
  };
  const download = () => {
    saveCsv(`${t(showsLinks ? 'passwords.fileLinks' : 'passwords.file')}.csv`, [heading, ...rows]);
    setIsSaved(true);
  };
  const print = () => {
    setIsPrinting(true);
    setIsSaved(true);
  };
  const mail = async () => {
    const confirm = t('passwords.mail');
    const content = t('passwords.mailQuestion', { count: mailable.length });
    if (!(await dialogs.confirm({ title: confirm, content, confirm, cancel: t('passwords.goBack') }))) return;
    const ids = (await onMail?.(mailable.map(({ id }) => id))) ?? [];
    if (ids.length === 0) return;
    setMailedIds([...mailedIds, ...ids]);
    toasts.success(t('passwords.mailed', { count: ids.length }));
  };
  const endPrinting = useCallback(() => setIsPrinting(false), []);
  const close = async () => {
    const question = { title: t('passwords.closeTitle'), content: t('passwords.closeQuestion'), confirm: t('passwords.closeAnyway') };
    if (isSaved || remaining.length === 0 || (await dialogs.confirm({ ...question, cancel: t('passwords.goBack'), danger: true }))) onClose();
  };

  return (
    <div ref={containerRef}>
      <Modal
        visible
        style={{ width: 720 }}
        title={title}
        closable={false}
        maskClosable={false}
        escToExit={false}
        getPopupContainer={() => containerRef.current?.parentElement ?? document.body}
        footer={
          <>
            <Button onClick={() => void close()}>{t('passwords.close')}</Button>
            {mailable.length > 0 && <Button onClick={() => void mail()}>{t('passwords.mail')}</Button>}
            {remaining.length > 0 && (
              <>
                <Button onClick={print}>{t('passwords.print')}</Button>
                <Button onClick={download}>{t('passwords.download')}</Button>
                <Button type="primary" onClick={() => void copy()}>
                  {t('passwords.copyAll')}
                </Button>
              </>
            )}
          </>
        }
      >
        <div className={styles.kinds}>
          <Radio.Group
            type="button"
            aria-label={t('passwords.kind')}
            value={showsLinks}
            onChange={setShowsLinks}
            options={[
              { value: false, label: t('passwords.asPassword') },
              { value: true, label: t('passwords.asLink') },
            ]}
          />
          {slips.length > 1 && <span className={styles.count}>{t('passwords.count', { count: slips.length })}</span>}
        </div>
        {mailedIds.length > 0 && <p role="status">{t('passwords.mailed', { count: mailedIds.length })}</p>}
        <p className={styles.hint}>{t(showsLinks ? 'passwords.onceLinks' : 'passwords.once', { time: passwords[0]?.expiresAt ?? '' })}</p>
        <SecretTable label={title} slips={slips} heading={heading} onSaved={() => setIsSaved(true)} />
      </Modal>
      {isPrinting && <PrintedSlips slips={slips} secretTitle={heading[2] ?? ''} onDone={endPrinting} />}
    </div>
  );
}

interface SecretTableProps {
  /** Accessible name of the table. */
  readonly label: string;
  readonly slips: readonly PasswordSlip[];
  readonly heading: readonly string[];
  readonly onSaved: () => void;
}

function SecretTable({ label, slips, heading, onSaved }: SecretTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.sheet}>
        <thead>
          <tr>
            {heading.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slips.map(({ id, account, realName, secret }) => (
            <tr key={id}>
              <td>{realName}</td>
              <td>{account}</td>
              <td>
                <span className={styles.secret}>
                  <code title={secret}>{secret}</code>
                  <CopyButton value={secret} onCopied={onSaved} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PrintedSlipsProps {
  readonly slips: readonly PasswordSlip[];
  readonly secretTitle: string;
  readonly onDone: () => void;
}

/** Prints one slip for each person, to be cut out and handed over. */
function PrintedSlips({ slips, secretTitle, onDone }: PrintedSlipsProps) {
  const t = useTranslation();
  usePrinted(onDone);
  return createPortal(
    <ul className={styles.slips}>
      {slips.map(({ id, account, realName, secret, expiresAt }) => (
        <li key={id}>
          <strong>{realName}</strong>
          <dl>
            <dt>{t('passwords.address')}</dt>
            <dd>{location.origin + basePath}</dd>
            <dt>{t('passwords.account')}</dt>
            <dd>{account}</dd>
            <dt>{secretTitle}</dt>
            <dd>
              <code>{secret}</code>
            </dd>
            <dt>{t('passwords.validUntil')}</dt>
            <dd>{expiresAt}</dd>
          </dl>
        </li>
      ))}
    </ul>,
    document.body,
  );
}

/** Writes a byte order mark, by which Excel recognizes UTF-8, and escapes cells that would be formulas. */
function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const cell = (value: string) => `"${escapeFormula(value).replaceAll('"', '""')}"`;
  const csv = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
  saveFile(name, new Blob([csv], { type: 'text/csv' }));
}

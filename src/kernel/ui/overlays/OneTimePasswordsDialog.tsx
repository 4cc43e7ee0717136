import { Button, Modal } from '@arco-design/web-react';
import { useRef, useState } from 'react';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { saveFile } from '../../platform/browser/save-file.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import styles from './OneTimePasswordsDialog.module.css';

/** Newly generated passwords of accounts. */
export interface OneTimePasswordsProps {
  readonly passwords: readonly OneTimePassword[];
  readonly onClose: () => void;
}

/** Stays inside the tab it belongs to. Closing it asks for confirmation until the passwords were copied or downloaded. */
export default function OneTimePasswordsDialog({ passwords, onClose }: OneTimePasswordsProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const containerRef = useRef<HTMLDivElement>(null);
  const [isTaken, setIsTaken] = useState(false);
  const heading = [t('passwords.account'), t('passwords.name'), t('passwords.password')];
  const rows = passwords.map(({ account, realName, password }) => [account, realName, password]);

  const copy = async () => {
    const isCopied = await copyText([heading, ...rows].map((row) => row.join('\t')).join('\n'));
    if (!isCopied) return toasts.warning(t('passwords.copyFailed'));
    setIsTaken(true);
    toasts.success(t('passwords.copied'));
  };
  const download = () => {
    saveCsv(`${t('passwords.file')}.csv`, [heading, ...rows]);
    setIsTaken(true);
  };
  const close = async () => {
    const question = { title: t('passwords.closeTitle'), content: t('passwords.closeQuestion'), confirm: t('passwords.closeAnyway') };
    if (isTaken || (await dialogs.confirm({ ...question, cancel: t('passwords.goBack'), danger: true }))) onClose();
  };

  return (
    <div ref={containerRef}>
      <Modal
        visible
        style={{ width: 640 }}
        title={t('passwords.title')}
        closable={false}
        maskClosable={false}
        escToExit={false}
        getPopupContainer={() => containerRef.current?.parentElement ?? document.body}
        footer={
          <>
            <Button onClick={() => void close()}>{t('passwords.close')}</Button>
            <Button onClick={download}>{t('passwords.download')}</Button>
            <Button type="primary" onClick={() => void copy()}>
              {t('passwords.copyAll')}
            </Button>
          </>
        }
      >
        <p className={styles.hint}>{t('passwords.once', { time: passwords[0]?.expiresAt ?? '' })}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
        <section className={styles.scroll} aria-label={t('passwords.title')} tabIndex={0}>
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
              {passwords.map(({ id, account, realName, password }) => (
                <tr key={id}>
                  <td>{account}</td>
                  <td>{realName}</td>
                  <td className={styles.password}>
                    <code>{password}</code>
                    <CopyButton value={password} onCopied={() => setIsTaken(true)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Modal>
    </div>
  );
}

/** Writes a byte order mark, by which Excel recognizes UTF-8, and escapes cells that would be formulas. */
function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const cell = (value: string) => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  const csv = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
  saveFile(name, new Blob([csv], { type: 'text/csv' }));
}

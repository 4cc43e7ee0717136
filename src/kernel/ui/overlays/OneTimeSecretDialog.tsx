import { Button, Modal } from '@arco-design/web-react';
import { useRef } from 'react';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import styles from './OneTimeSecretDialog.module.css';

/** Secrets that are shown once, each with its title. */
export interface OneTimeSecretDialogProps {
  readonly title: LocalizedText;
  readonly facts: readonly { readonly title: LocalizedText; readonly value: string }[];
  /** A text that contains everything, to be copied as a whole. */
  readonly letter?: { readonly title: LocalizedText; readonly text: string };
  readonly onClose: () => void;
}

/** Stays inside the tab it belongs to and closes only by its own button, because the secrets cannot be shown again. */
export default function OneTimeSecretDialog({ title, facts, letter, onClose }: OneTimeSecretDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const containerRef = useRef<HTMLDivElement>(null);
  const copyLetter = async (whole: string) => {
    if (await copyText(whole)) toasts.success(t('table.copied'));
    else toasts.warning(t('table.copyFailed'));
  };
  return (
    <div ref={containerRef}>
      <Modal
        visible
        title={t(title)}
        closable={false}
        maskClosable={false}
        escToExit={false}
        getPopupContainer={() => containerRef.current?.parentElement ?? document.body}
        footer={
          <Button type="primary" onClick={onClose}>
            {t('crud.keptSafe')}
          </Button>
        }
      >
        <p className={styles.hint}>{t('crud.toldOnce')}</p>
        <dl className={styles.facts}>
          {facts.map(({ title: called, value }) => (
            <div key={called[1]} className={styles.fact}>
              <dt>{t(called)}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton value={value} />
              </dd>
            </div>
          ))}
        </dl>
        {letter && (
          <section className={styles.letter}>
            <h3>
              {t(letter.title)}
              <Button size="small" onClick={() => void copyLetter(letter.text)}>
                {t('table.copyLetter')}
              </Button>
            </h3>
            <pre>{letter.text}</pre>
          </section>
        )}
      </Modal>
    </div>
  );
}

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
  readonly secrets: readonly { readonly title: LocalizedText; readonly value: string }[];
  /** A text that contains everything, to be copied as a whole. */
  readonly fullText?: { readonly title: LocalizedText; readonly text: string };
  readonly onClose: () => void;
}

/** Shows the secrets inside their tab and closes only by its own button, because they cannot be shown again. */
export default function OneTimeSecretDialog({ title, secrets, fullText, onClose }: OneTimeSecretDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const containerRef = useRef<HTMLDivElement>(null);
  const copyFullText = async (text: string) => {
    if (await copyText(text)) toasts.success(t('table.copied'));
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
            {t('crud.confirmSaved')}
          </Button>
        }
      >
        <p className={styles.hint}>{t('crud.shownOnce')}</p>
        <dl className={styles.facts}>
          {secrets.map(({ title: secretTitle, value }) => (
            <div key={secretTitle[1]} className={styles.fact}>
              <dt>{t(secretTitle)}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton value={value} />
              </dd>
            </div>
          ))}
        </dl>
        {fullText && (
          <section className={styles.fullText}>
            <h3>
              {t(fullText.title)}
              <Button size="small" onClick={() => void copyFullText(fullText.text)}>
                {t('table.copyFullText')}
              </Button>
            </h3>
            <pre>{fullText.text}</pre>
          </section>
        )}
      </Modal>
    </div>
  );
}

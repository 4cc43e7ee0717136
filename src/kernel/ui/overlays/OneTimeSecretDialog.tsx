import { Button, Modal } from '@arco-design/web-react';
import { useRef } from 'react';
import type { Words } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import styles from './OneTimeSecretDialog.module.css';

/** Secrets that are shown once, each with its title. */
export interface OneTimeSecretDialogProps {
  readonly title: Words;
  readonly facts: readonly { readonly title: Words; readonly value: string }[];
  /** A text that contains everything, to be copied as a whole. */
  readonly letter?: { readonly title: Words; readonly text: string };
  readonly onClose: () => void;
}

/** Stays inside the tab it belongs to and closes only by its own button, because the secrets cannot be shown again. */
export default function OneTimeSecretDialog({ title, facts, letter, onClose }: OneTimeSecretDialogProps) {
  const text = useText();
  const say = useWords();
  const toasts = useService(Toasts);
  const place = useRef<HTMLDivElement>(null);
  const copyLetter = async (whole: string) => {
    if (await copyText(whole)) toasts.success(text('table.copied'));
    else toasts.warning(text('table.copyFailed'));
  };
  return (
    <div ref={place}>
      <Modal
        visible
        title={say(title)}
        closable={false}
        maskClosable={false}
        escToExit={false}
        getPopupContainer={() => place.current?.parentElement ?? document.body}
        footer={
          <Button type="primary" onClick={onClose}>
            {text('crud.keptSafe')}
          </Button>
        }
      >
        <p className={styles.hint}>{text('crud.toldOnce')}</p>
        <dl className={styles.facts}>
          {facts.map(({ title: called, value }) => (
            <div key={called[1]} className={styles.fact}>
              <dt>{say(called)}</dt>
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
              {say(letter.title)}
              <Button size="small" onClick={() => void copyLetter(letter.text)}>
                {text('table.copyLetter')}
              </Button>
            </h3>
            <pre>{letter.text}</pre>
          </section>
        )}
      </Modal>
    </div>
  );
}

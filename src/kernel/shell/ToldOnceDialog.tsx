import { Button, Modal } from '@arco-design/web-react';
import { useRef } from 'react';
import type { Words } from '#shared/text';
import { CopyButton } from '../crud/cells/CopyButton.tsx';
import { useText, useWords } from '../i18n/use-words.ts';
import styles from './ToldOnceDialog.module.css';

/** What is told once, each with its name. */
export interface ToldOnceProps {
  readonly title: Words;
  readonly facts: readonly { readonly title: Words; readonly value: string }[];
  readonly onClose: () => void;
}

/** It stands in the tab it belongs to, and closes by its own button alone: what it tells is told nowhere else. */
export default function ToldOnceDialog({ title, facts, onClose }: ToldOnceProps) {
  const text = useText();
  const say = useWords();
  const place = useRef<HTMLDivElement>(null);
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
      </Modal>
    </div>
  );
}

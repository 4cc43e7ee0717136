import { Button } from '@arco-design/web-react';
import { IconCheckCircle, IconCloseCircle, IconMinusCircle } from '@arco-design/web-react/icon';
import { useMemo, useState } from 'react';
import { Can, Http, loadable, SidePanel, Toasts, useService, useStream, useTranslation } from '#kernel';
import { type OssVerdict, oss, ossMessages } from '../contract.ts';
import styles from './storage.module.css';

interface TestPanelProps {
  readonly of: { readonly id: string; readonly ossCode: string; readonly status: number };
  readonly onClose: () => void;
  readonly onEnabled: () => void;
}

/** Tests a store as soon as it opens: shows the steps that passed and the error of the next one, and offers to enable the store. */
export function TestPanel({ of, onClose, onEnabled }: TestPanelProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [round, setRound] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` repeats the test
  const verdict$ = useMemo(() => loadable(http.send(oss.test, { id: of.id })), [http, of.id, round]);
  const { status, value } = useStream(verdict$, { status: 'loading' });

  const enable = async () => {
    setIsBusy(true);
    const answer = await http.send(oss.enable, { id: of.id }).finally(() => setIsBusy(false));
    if (!answer.success) return;
    toasts.success(t(ossMessages.enabled));
    onEnabled();
  };
  const outcome = status === 'loading' ? ossMessages.testing : value?.works ? (of.status === 2 ? ossMessages.inService : ossMessages.works) : ossMessages.fails;

  return (
    <SidePanel open title={t(ossMessages.testOf, { name: of.ossCode })} onClose={onClose} width={480}>
      <div className={styles.test}>
        <p role="status" className={styles.outcome} data-works={value?.works}>
          {t(outcome)}
        </p>
        {value && <Steps of={value} />}
        <div className={styles.buttons}>
          {value?.works && of.status !== 2 && (
            <Can code="oss_enable">
              <Button type="primary" loading={isBusy} onClick={() => void enable()}>
                {t(ossMessages.enable)}
              </Button>
            </Can>
          )}
          <Button disabled={status === 'loading'} onClick={() => setRound(round + 1)}>
            {t(ossMessages.again)}
          </Button>
        </div>
      </div>
    </SidePanel>
  );
}

const drawings = { passed: IconCheckCircle, failed: IconCloseCircle, skipped: IconMinusCircle };

function Steps({ of: { steps } }: { readonly of: OssVerdict }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, state, detail }) => {
        const Drawing = drawings[state];
        return (
          <li key={title} data-state={state}>
            <Drawing aria-hidden="true" />
            <strong>{title}</strong>
            <span>{detail}</span>
          </li>
        );
      })}
    </ol>
  );
}

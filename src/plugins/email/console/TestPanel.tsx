import { Button, Input } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Can, useMutation, useTranslation } from '#kernel';
import { emailServer, failures, type TestOutcome } from '../contract.ts';
import styles from './email.module.css';
import { emailMessages } from './messages.ts';

/** Sends a test e-mail and shows what the server answered. */
export function TestPanel() {
  const t = useTranslation();
  const id = useId();
  const [to, setTo] = useState('');
  const [outcome, setOutcome] = useState<TestOutcome>();
  const { isPending, mutate } = useMutation(emailServer.test, { onSuccess: setOutcome });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setOutcome(undefined);
    void mutate({ to: to.trim() || null });
  };
  return (
    <Can code="email_test">
      <form className={styles.test} onSubmit={submit} aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{t(emailMessages.test)}</h2>
        <p className={styles.hint}>{t(emailMessages.testHint)}</p>
        <label htmlFor={`${id}-to`}>{t(emailMessages.testTo)}</label>
        <Input id={`${id}-to`} type="email" value={to} placeholder={t(emailMessages.testOwn)} onChange={setTo} />
        <Button htmlType="submit" loading={isPending}>
          {t(emailMessages.send)}
        </Button>
        <Outcome outcome={outcome} />
      </form>
    </Can>
  );
}

/** Describes the result of a test e-mail, announced to screen readers. */
export function Outcome({ outcome }: { readonly outcome: TestOutcome | undefined }) {
  const t = useTranslation();
  const reason = outcome?.failure ? t(failures[outcome.failure]) : '';
  return (
    <div role="status" className={styles.outcome} data-tone={outcome && (outcome.isSent ? 'good' : 'danger')}>
      {outcome && (
        <>
          <strong>{outcome.isSent ? t(emailMessages.sentTo, { address: outcome.address }) : t(emailMessages.notSent, { reason })}</strong>
          {outcome.answer && (
            <p className={styles.answer}>
              {t(emailMessages.answer)}
              <code>{outcome.answer}</code>
            </p>
          )}
        </>
      )}
    </div>
  );
}

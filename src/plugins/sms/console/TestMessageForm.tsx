import { Button, Input } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Toasts, useDraft, useMutation, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { sms } from '../contract.ts';
import { smsMessages } from './messages.ts';
import styles from './sms.module.css';

interface TestMessage {
  readonly phones: string;
  readonly values: Readonly<Record<string, string>>;
}

const noMessage: TestMessage = { phones: '', values: {} };

/** Sends a test message to the entered phone numbers with a configuration or template. */
export function TestMessageForm({ code, placeholders }: { readonly code: string; readonly placeholders: readonly string[] }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const draft = useDraft<TestMessage>(`${sms.send.path}:${code}`);
  const [message, setMessage] = useState<TestMessage>(draft.found ?? noMessage);
  const [sent, setSent] = useState(noMessage);
  const { phones, values } = message;
  useUnsavedChanges(message !== sent);
  const change = (changed: Partial<TestMessage>) => {
    const next = { ...message, ...changed };
    setMessage(next);
    draft.store(next);
  };
  const { isPending, mutate } = useMutation(sms.send, {
    onSuccess: () => {
      draft.discard();
      setSent(message);
      toasts.success(t(smsMessages.sent));
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void mutate({ code, phones: phones.split(/[\s,，]+/).filter(Boolean), params: JSON.stringify(values) });
  };
  return (
    <form className={styles.trial} onSubmit={submit}>
      <label htmlFor={`${id}-phones`}>{t(smsMessages.phones)}</label>
      <Input id={`${id}-phones`} value={phones} onChange={(typed) => change({ phones: typed })} autoFocus inputMode="tel" />
      {placeholders.map((name) => (
        <div key={name} className={styles.value}>
          <label htmlFor={`${id}-${name}`}>{name}</label>
          <Input id={`${id}-${name}`} value={values[name] ?? ''} onChange={(value) => change({ values: { ...values, [name]: value } })} />
        </div>
      ))}
      <Button type="primary" htmlType="submit" loading={isPending} disabled={phones.trim() === ''}>
        {t(smsMessages.send)}
      </Button>
    </form>
  );
}

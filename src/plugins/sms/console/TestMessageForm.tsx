import { Button, Input } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import { Toasts, useMutation, useService, useTranslation } from '#kernel';
import { sms, smsMessages } from '../contract.ts';
import styles from './sms.module.css';

/** Sends a test message by one configuration or template to the entered phones. */
export function TestMessageForm({ code, placeholders }: { readonly code: string; readonly placeholders: readonly string[] }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [phones, setPhones] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { isPending, mutate } = useMutation(sms.send, { onSuccess: () => toasts.success(t(smsMessages.sent)) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void mutate({ code, phones: phones.split(/[\s,，]+/).filter(Boolean), params: JSON.stringify(values) });
  };
  return (
    <form className={styles.trial} onSubmit={submit}>
      <label htmlFor={`${id}-phones`}>{t(smsMessages.phones)}</label>
      <Input id={`${id}-phones`} value={phones} onChange={setPhones} autoFocus inputMode="tel" />
      {placeholders.map((name) => (
        <div key={name} className={styles.value}>
          <label htmlFor={`${id}-${name}`}>{name}</label>
          <Input id={`${id}-${name}`} value={values[name] ?? ''} onChange={(value) => setValues({ ...values, [name]: value })} />
        </div>
      ))}
      <Button type="primary" htmlType="submit" loading={isPending} disabled={phones.trim() === ''}>
        {t(smsMessages.send)}
      </Button>
    </form>
  );
}

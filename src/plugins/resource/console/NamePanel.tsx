import { Button, Input } from '@arco-design/web-react';
import { type FormEvent, useId, useState } from 'react';
import { SidePanel, useMutation, useTranslation, useUnsavedChanges } from '#kernel';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

interface NamePanelProps {
  readonly title: string;
  readonly label: string;
  readonly initial: string;
  /** Resolves true once the name is saved; the panel then closes. */
  readonly onSave: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Asks for the name of a folder or file. */
export function NamePanel({ title, label, initial, onSave, onClose }: NamePanelProps) {
  const t = useTranslation();
  const id = useId();
  const [name, setName] = useState(initial);
  const [isMissing, setIsMissing] = useState(false);
  useUnsavedChanges(name !== initial);
  const { isPending, mutate } = useMutation(onSave, { onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setIsMissing(true);
    void mutate(name.trim());
  };
  return (
    <SidePanel open title={title} width={420} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor={id}>{label}</label>
        <Input
          id={id}
          value={name}
          maxLength={128}
          autoFocus
          {...(isMissing ? { status: 'error' as const, 'aria-describedby': `${id}-missing` } : {})}
          onChange={(typed) => {
            setName(typed);
            setIsMissing(false);
          }}
        />
        {isMissing && (
          <p id={`${id}-missing`} role="alert" className={styles.missing}>
            {t(resourceMessages.nameMissing)}
          </p>
        )}
        <div className={styles.bar}>
          <Button type="primary" htmlType="submit" loading={isPending}>
            {t(resourceMessages.save)}
          </Button>
          <Button onClick={onClose}>{t(resourceMessages.cancel)}</Button>
        </div>
      </form>
    </SidePanel>
  );
}

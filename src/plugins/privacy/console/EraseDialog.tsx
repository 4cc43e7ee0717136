import { Button, Input } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { ScreenDialog, useMutation, useTranslation } from '#kernel';
import { type PersonInput, type PersonReport, personCalls } from '../contract.ts';
import { privacyMessages } from './messages.ts';
import styles from './privacy.module.css';

interface EraseDialogProps {
  readonly reference: PersonInput;
  readonly name: string;
  readonly container: () => Element;
  readonly onErased: (report: PersonReport) => void;
  readonly onClose: () => void;
}

/** Asks for the name of the person before everything about them is erased. */
export function EraseDialog({ reference, name, container, onErased, onClose }: EraseDialogProps) {
  const t = useTranslation();
  const id = useId();
  const [confirmation, setConfirmation] = useState('');
  const erasing = useMutation(personCalls.erase, { onSuccess: onErased });
  const footer = (
    <>
      <Button onClick={onClose}>{t(privacyMessages.cancel)}</Button>
      <Button
        type="primary"
        status="danger"
        disabled={confirmation.trim() !== name}
        loading={erasing.isPending}
        onClick={() => void erasing.mutate({ ...reference, confirmation })}
      >
        {t(privacyMessages.erase)}
      </Button>
    </>
  );
  return (
    <ScreenDialog title={t(privacyMessages.eraseTitle, { name })} width={480} container={container} maskClosable={false} footer={footer} onClose={onClose}>
      <p>{t(privacyMessages.eraseHint)}</p>
      <label className={styles.field} htmlFor={id}>
        {t(privacyMessages.confirm, { name })}
        <Input id={id} value={confirmation} onChange={setConfirmation} autoComplete="off" />
      </label>
    </ScreenDialog>
  );
}

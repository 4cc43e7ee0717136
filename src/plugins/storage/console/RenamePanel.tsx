import { Button, Input } from '@arco-design/web-react';
import { type FormEvent, useId, useState } from 'react';
import { Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { type AttachRow, attach, attachMessages, renameAttachment } from '../contract.ts';
import styles from './storage.module.css';

interface RenamePanelProps {
  readonly of: Pick<AttachRow, 'id' | 'originalName'>;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

/** Asks for the new name of an attachment; its content and links stay the same. */
export function RenamePanel({ of, onRenamed, onClose }: RenamePanelProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [name, setName] = useState(of.originalName);
  const [isBusy, setIsBusy] = useState(false);
  const title = traitsOf(attach.entity.fields.originalName)?.title ?? attachMessages.rename;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const { success } = await http.send(renameAttachment, { id: of.id, originalName: name.trim() }).finally(() => setIsBusy(false));
    if (!success) return;
    toasts.success(t(attachMessages.renamed));
    onRenamed();
    onClose();
  };
  return (
    <SidePanel open title={t(attachMessages.renameOf, { name: of.originalName })} width={420} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label htmlFor={id}>{t(title)}</label>
        <Input id={id} value={name} maxLength={255} autoFocus onChange={setName} />
        <div className={styles.bar}>
          <Button type="primary" htmlType="submit" loading={isBusy} disabled={name.trim() === '' || name.trim() === of.originalName}>
            {t(attachMessages.rename)}
          </Button>
          <Button onClick={onClose}>{t(attachMessages.cancel)}</Button>
        </div>
      </form>
    </SidePanel>
  );
}

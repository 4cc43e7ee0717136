import { type FormEvent, useRef, useState } from 'react';
import {
  ActionButton,
  Dialog,
  Dialogs,
  Http,
  hasPasskeys,
  Icon,
  Item,
  ItemList,
  LoadedPart,
  SubmitButton,
  TextField,
  Toasts,
  useMutation,
  useQuery,
  useService,
  useTranslation,
} from '#kernel';
import { maxPasskeys, type Passkey, passkeys } from '#shared/passkeys';
import { passkeyMessages } from './passkey-messages.ts';
import styles from './sections.module.css';
import stepStyles from './steps.module.css';
import { useAddPasskey } from './use-add-passkey.ts';

/** Lists the passkeys of this account; adds, renames and removes them. */
export default function PasskeysSection() {
  const t = useTranslation();
  const query = useQuery(passkeys.list, {}, { quiet: true });
  const [renamed, setRenamed] = useState<Passkey>();
  const { isPending, mutate } = useAddPasskey(query.refetch);
  const remove = useRemovePasskey(query.refetch);
  return (
    <LoadedPart query={query}>
      {({ isAvailable, passkeys: rows }) => (
        <>
          {rows.length === 0 && <p className={styles.hint}>{t(passkeyMessages.none)}</p>}
          {rows.length > 0 && (
            <ItemList>
              {rows.map((row) => (
                <PasskeyRow key={row.id} passkey={row} onRename={() => setRenamed(row)} onRemove={() => void remove(row)} />
              ))}
            </ItemList>
          )}
          <div className={styles.foot}>
            {!isAvailable || !hasPasskeys() ? (
              <p className={styles.hint}>{t(passkeyMessages.unavailable)}</p>
            ) : rows.length < maxPasskeys ? (
              <ActionButton onClick={() => void mutate()}>{t(isPending ? passkeyMessages.adding : passkeyMessages.add)}</ActionButton>
            ) : (
              <p className={styles.hint}>{t(passkeyMessages.limit, { max: maxPasskeys })}</p>
            )}
          </div>
          {renamed && <RenameDialog passkey={renamed} onRenamed={query.refetch} onClose={() => setRenamed(undefined)} />}
        </>
      )}
    </LoadedPart>
  );
}

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyRow({ passkey: { name, host, createTime, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  const t = useTranslation();
  const used = lastUsedAt ? t(passkeyMessages.lastUsed, { time: lastUsedAt.slice(0, 16) }) : t(passkeyMessages.neverUsed);
  return (
    <Item icon={<Icon name="key" />} title={name} note={`${t(passkeyMessages.facts, { host, created: createTime.slice(0, 10) })} · ${used}`}>
      <ActionButton aria-label={t(passkeyMessages.renameNamed, { name })} onClick={onRename}>
        {t(passkeyMessages.rename)}
      </ActionButton>
      <ActionButton variant="danger" aria-label={t(passkeyMessages.removeNamed, { name })} onClick={onRemove}>
        {t(passkeyMessages.remove)}
      </ActionButton>
    </Item>
  );
}

interface RenameDialogProps {
  readonly passkey: Passkey;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

function RenameDialog({ passkey: { id, name: former }, onRenamed, onClose }: RenameDialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(former);
  const { isPending, mutate } = useMutation(passkeys.rename, {
    onSuccess: () => {
      toasts.success(t(passkeyMessages.renamed));
      onRenamed();
      onClose();
    },
  });
  const isMissing = name.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMissing) field.current?.focus();
    else void mutate({ id, name: name.trim() });
  };
  return (
    <Dialog title={t(passkeyMessages.renameNamed, { name: former })} onClose={onClose}>
      <form className={stepStyles.form} noValidate onSubmit={submit}>
        <TextField
          ref={field}
          name="passkeyName"
          label={t(passkeyMessages.name)}
          value={name}
          onChange={setName}
          maxLength={64}
          autoFocus
          problem={isMissing ? t(passkeyMessages.enterName) : undefined}
        />
        <div className={styles.buttons}>
          <ActionButton onClick={onClose}>{t('shell.cancel')}</ActionButton>
          <SubmitButton isBusy={isPending}>{t(passkeyMessages.save)}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}

function useRemovePasskey(reload: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  return async ({ id, name }: Passkey) => {
    const isConfirmed = await dialogs.confirm({
      title: t(passkeyMessages.removeTitle, { name }),
      content: t(passkeyMessages.removeEffect),
      confirm: t(passkeyMessages.remove),
      danger: true,
    });
    const answer = isConfirmed ? await http.send(passkeys.remove, { id }).catch(() => undefined) : undefined;
    if (!answer?.success) return;
    toasts.success(t(passkeyMessages.removed));
    reload();
  };
}

import { type ChangeEvent, useRef, useState } from 'react';
import { ActionButton, Http, roleNames, Session, Toasts, useService, useStream, useTranslation } from '#kernel';
import { files } from '#shared/files';
import { updateInfo } from '#shared/profile';
import type { LocalizedText } from '#shared/text';
import { accountMessages } from './messages.ts';
import styles from './sections.module.css';

const megabytes = 2;
const types = 'image/png,image/jpeg,image/webp';

/** Shows the signed-in user and lets them change the picture that others see. */
export function ProfileSection() {
  const t = useTranslation();
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const facts: readonly (readonly [title: LocalizedText, value: string | undefined])[] = [
    [accountMessages.accountName, user?.account || user?.user_name],
    [accountMessages.realName, user?.real_name],
    [accountMessages.nickName, user?.nick_name],
    [accountMessages.role, roleNames(user, t)],
    [accountMessages.tenant, user?.tenant_id],
  ];
  return (
    <div className={styles.profile}>
      <Picture avatar={user?.avatar ?? ''} name={user?.real_name || user?.user_name || ''} />
      <dl className={styles.facts}>
        {facts.map(([title, value]) => (
          <div key={title[1]}>
            <dt>{t(title)}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Picture({ avatar, name }: { readonly avatar: string; readonly name: string }) {
  const t = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, upload, remove } = usePicture();
  const [broken, setBroken] = useState('');
  const select = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = '';
    if (file) void upload(file);
  };
  return (
    <div className={styles.avatarSide}>
      <span className={styles.avatar} aria-hidden="true">
        {avatar && broken !== avatar ? <img src={avatar} alt="" onError={() => setBroken(avatar)} /> : name.slice(0, 1).toUpperCase()}
      </span>
      <input ref={input} type="file" accept={types} hidden onChange={select} data-testid="avatar" />
      <ActionButton aria-disabled={isBusy} onClick={() => !isBusy && input.current?.click()}>
        {t(isBusy ? accountMessages.uploadingAvatar : accountMessages.uploadAvatar)}
      </ActionButton>
      {avatar && !isBusy && (
        <ActionButton variant="quiet" onClick={() => void remove()}>
          {t(accountMessages.removeAvatar)}
        </ActionButton>
      )}
      <p className={styles.avatarHint}>{t(accountMessages.avatarHint, { megabytes })}</p>
    </div>
  );
}

function usePicture() {
  const t = useTranslation();
  const http = useService(Http);
  const session = useService(Session);
  const toasts = useService(Toasts);
  const [isBusy, setIsBusy] = useState(false);
  const save = async (avatar: string) => {
    const answer = await http.send(updateInfo, { avatar }).catch(() => undefined);
    if (!answer?.success) return;
    session.updateProfile({ avatar });
    toasts.success(t(accountMessages.avatarSaved));
  };
  const upload = async (file: File) => {
    if (file.size > megabytes * 1024 * 1024) return toasts.error(t(accountMessages.avatarTooLarge, { megabytes }));
    setIsBusy(true);
    const answer = await http.send(files.upload, { isPublic: true }, { file }).catch(() => undefined);
    if (answer?.success) await save(answer.data.link);
    setIsBusy(false);
  };
  return { isBusy, upload, remove: () => save('') };
}

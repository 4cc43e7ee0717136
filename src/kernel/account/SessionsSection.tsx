import { type OwnSession, ownSessions } from '#shared/sessions';
import { useService } from '../base/react/services.tsx';
import { Dialogs } from '../platform/feedback/dialogs.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { useQuery } from '../platform/http/use-query.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { Icon } from '../ui/primitives/Icon.tsx';
import styles from './AccountPage.module.css';
import { LoadedPart } from './LoadedPart.tsx';

/** Lists the sessions of this account and ends single ones or all others. */
export function SessionsSection() {
  const t = useTranslation();
  const asked = useQuery(ownSessions.list, {}, { quiet: true });
  const { end, endOthers } = useEnding(asked.refetch);
  return (
    <LoadedPart asked={asked}>
      {(sessions) => {
        const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
        return (
          <>
            <ul className={styles.rows}>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => void end(session.id)} />
              ))}
            </ul>
            <div className={styles.foot}>
              {others === 0 ? (
                <p className={styles.hint}>{t('account.onlyThis')}</p>
              ) : (
                <button type="button" className={styles.action} data-danger="true" onClick={() => void endOthers(others)}>
                  {t('account.endOthers')}
                </button>
              )}
            </div>
          </>
        );
      }}
    </LoadedPart>
  );
}

function SessionRow({ session, onEnd }: { readonly session: OwnSession; readonly onEnd: () => void }) {
  const t = useTranslation();
  const { device, address, createTime, lastUsedAt, isCurrent } = session;
  const isPhone = /Android|iOS|iPhone|iPad/i.test(device);
  return (
    <li className={styles.row}>
      <span className={styles.sign}>
        <Icon name={isPhone ? 'phone' : 'system'} />
      </span>
      <span className={styles.what}>
        <strong>
          {device}
          {isCurrent && <span className={styles.tag}>{t('account.thisDevice')}</span>}
        </strong>
        <span>
          {address} · {t('account.lastUsed', { time: lastUsedAt.slice(0, 16) })} · {t('account.signedInAt', { time: createTime.slice(0, 16) })}
        </span>
      </span>
      {!isCurrent && (
        <button type="button" className={styles.action} aria-label={t('account.endNamed', { device })} onClick={onEnd}>
          {t('account.end')}
        </button>
      )}
    </li>
  );
}

function useEnding(reload: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const said = (count: number) => {
    toasts.success(t('account.ended', { count }));
    reload();
  };
  const end = async (id: string) => {
    const answer = await http.send(ownSessions.end, { ids: [id] }).catch(() => undefined);
    if (answer?.success) said(answer.data.count);
  };
  const endOthers = async (count: number) => {
    const isSure = await dialogs.confirm({
      title: t('account.endOthers'),
      content: t('account.endOthersQuestion', { count }),
      confirm: t('account.endOthers'),
      cancel: t('account.cancel'),
      danger: true,
    });
    const answer = isSure ? await http.send(ownSessions.endOthers, {}).catch(() => undefined) : undefined;
    if (answer?.success) said(answer.data.count);
  };
  return { end, endOthers };
}

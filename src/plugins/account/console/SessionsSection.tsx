import { ActionButton, Dialogs, Http, Icon, Item, ItemList, LoadedPart, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { type OwnSession, ownSessions } from '../contract.ts';
import { accountMessages } from './messages.ts';
import styles from './sections.module.css';

/** Lists the sessions of this account and ends single ones or all others. */
export function SessionsSection() {
  const t = useTranslation();
  const query = useQuery(ownSessions.list, {}, { quiet: true });
  const { end, endOthers } = useEndSessions(query.refetch);
  return (
    <LoadedPart query={query}>
      {(sessions) => {
        const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
        return (
          <>
            <ItemList>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => void end(session.id)} />
              ))}
            </ItemList>
            <div className={styles.foot}>
              {others === 0 ? (
                <p className={styles.hint}>{t(accountMessages.onlyThis)}</p>
              ) : (
                <ActionButton variant="danger" onClick={() => void endOthers(others)}>
                  {t(accountMessages.endOthers)}
                </ActionButton>
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
    <Item
      icon={<Icon name={isPhone ? 'phone' : 'system'} />}
      title={
        <>
          {device}
          {isCurrent && <span className={styles.tag}>{t(accountMessages.thisDevice)}</span>}
        </>
      }
      note={`${address} · ${t(accountMessages.lastUsed, { time: lastUsedAt.slice(0, 16) })} · ${t(accountMessages.signedInAt, { time: createTime.slice(0, 16) })}`}
    >
      {!isCurrent && (
        <ActionButton aria-label={t(accountMessages.endNamed, { device })} onClick={onEnd}>
          {t(accountMessages.end)}
        </ActionButton>
      )}
    </Item>
  );
}

function useEndSessions(reload: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const onEnded = (count: number) => {
    toasts.success(t(accountMessages.ended, { count }));
    reload();
  };
  const end = async (id: string) => {
    const answer = await http.send(ownSessions.end, { ids: [id] }).catch(() => undefined);
    if (answer?.success) onEnded(answer.data.count);
  };
  const endOthers = async (count: number) => {
    const isConfirmed = await dialogs.confirm({
      title: t(accountMessages.endOthers),
      content: t(accountMessages.endOthersQuestion, { count }),
      danger: true,
    });
    const answer = isConfirmed ? await http.send(ownSessions.endOthers, {}).catch(() => undefined) : undefined;
    if (answer?.success) onEnded(answer.data.count);
  };
  return { end, endOthers };
}

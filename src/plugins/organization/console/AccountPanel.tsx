import { Button, Input, Radio } from '@arco-design/web-react';
import { IconEdit, IconHistory, IconLock, IconSafe, IconUnlock, IconUser } from '@arco-design/web-react/icon';
import { useId, useState } from 'react';
import {
  ActionButton,
  type CrudScreen,
  Dialogs,
  Http,
  Icon,
  Item,
  ItemList,
  LoadedPart,
  SidePanel,
  Toasts,
  useCan,
  useMutation,
  useQuery,
  useService,
  useTranslation,
  useUnsavedChanges,
} from '#kernel';
import { traitsOf } from '#shared/fields';
import { type AccountState, accountAccess } from '#shared/sessions';
import { UserAccount, type UserRow, user as userCalls, userStatus } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

interface AccountPanelProps {
  readonly user: UserRow;
  readonly onClose: () => void;
  readonly screen: CrudScreen<UserRow>;
  readonly onReset: () => Promise<boolean>;
}

/** Panel of a user's account: how they sign in, and their platform. */
export function AccountPanel({ user, screen, onClose, onReset }: AccountPanelProps) {
  const t = useTranslation();
  const { setStatus } = useUserActions();
  const mayPlatform = useCan('user_platform');
  const done = () => {
    screen.reload();
    onClose();
  };
  const toggle = async () => {
    const status = user.status === userStatus.enabled ? userStatus.disabled : userStatus.enabled;
    if (await screen.batch([user.id], setStatus(status))) onClose();
  };
  return (
    <SidePanel open title={t(consoleMessages.accountOf, { name: user.realName })} width={560} onClose={onClose}>
      <div className={styles.panel}>
        <SignInState user={user} onToggle={() => void toggle()} onReset={onReset} />
        {mayPlatform && <PlatformForm user={user} onSaved={done} />}
      </div>
    </SidePanel>
  );
}

interface PlatformFormProps {
  readonly user: UserRow;
  readonly onSaved: () => void;
}

/** Form for a user's platform and the details that platform stores about them. */
function PlatformForm({ user, onSaved }: PlatformFormProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [userType, setUserType] = useState(user.userType);
  const [userExt, setUserExt] = useState(user.userExt ?? '');
  const isChanged = userType !== user.userType || userExt !== (user.userExt ?? '');
  useUnsavedChanges(isChanged);
  const { isPending, mutate } = useMutation(userCalls.updatePlatform, {
    onSuccess: () => {
      toasts.success(t(consoleMessages.saved));
      onSaved();
    },
  });
  const { userType: type, userExt: ext } = UserAccount.fields;
  return (
    <section className={styles.part}>
      <h3>{t(consoleMessages.platform)}</h3>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t(traitsOf(type)?.title ?? consoleMessages.platform)}</legend>
        <Radio.Group value={userType} onChange={setUserType}>
          {traitsOf(type)?.options?.map(([value, title]) => (
            <Radio key={value} value={value}>
              {t(title)}
            </Radio>
          ))}
        </Radio.Group>
      </fieldset>
      <label htmlFor={id}>{t(traitsOf(ext)?.title ?? consoleMessages.platform)}</label>
      <Input.TextArea id={id} rows={6} maxLength={20_000} value={userExt} onChange={setUserExt} />
      <div className={styles.buttons}>
        <Button type="primary" loading={isPending} disabled={!isChanged} onClick={() => void mutate({ userId: user.id, userType, userExt: userExt || null })}>
          {t(consoleMessages.save)}
        </Button>
      </div>
    </section>
  );
}

interface SignInStateProps {
  readonly user: UserRow;
  readonly onToggle: () => void;
  readonly onReset: () => Promise<boolean>;
}

/** Shows how and since when a user signs in, each fact with the action that changes it. */
function SignInState({ user, onToggle, onReset }: SignInStateProps) {
  const t = useTranslation();
  const query = useQuery(accountAccess.state, { userId: user.id }, { quiet: true });
  return (
    <section className={styles.part}>
      <h3>{t(consoleMessages.access)}</h3>
      <LoadedPart query={query}>
        {(state) => (
          <>
            <Facts user={user} state={state} onToggle={onToggle} onReset={onReset} onChanged={query.refetch} />
            {state.sessions && <Sessions user={user} sessions={state.sessions} onChanged={query.refetch} />}
          </>
        )}
      </LoadedPart>
    </section>
  );
}

interface FactsProps extends SignInStateProps {
  readonly state: AccountState;
  readonly onChanged: () => void;
}

function Facts({
  user,
  state: { lastSignIn, lockedUntil, isProviderLocked = false, hasSecondFactor, passwordUntil },
  onToggle,
  onReset,
  onChanged,
}: FactsProps) {
  const t = useTranslation();
  const { unlock, resetFactor } = useUserActions();
  const may = { reset: useCan('user_reset'), status: useCan('user_status'), unlock: useCan('user_unlock'), factor: useCan('user_reset_mfa') };
  const isEnabled = user.status === userStatus.enabled;
  const isLocked = isProviderLocked || lockedUntil !== undefined;
  const act = (work: Promise<unknown>) => void work.then(onChanged);
  return (
    <ItemList>
      <Item icon={<IconHistory />} title={t(consoleMessages.lastSignIn)} note={lastSignIn ? placeOf(lastSignIn) : t(consoleMessages.neverSignedIn)} />
      <Item
        icon={<IconUser />}
        title={t(consoleMessages.status)}
        note={t(isEnabled ? consoleMessages.enabled : user.status === userStatus.disabled ? consoleMessages.disabled : consoleMessages.awaiting)}
      >
        {may.status && user.status !== userStatus.awaitingApproval && (
          <ActionButton onClick={onToggle}>{t(isEnabled ? consoleMessages.disable : consoleMessages.enable)}</ActionButton>
        )}
      </Item>
      <Item
        icon={isLocked ? <IconLock /> : <IconUnlock />}
        title={t(consoleMessages.locking)}
        note={t(isProviderLocked ? consoleMessages.providerLocked : lockedUntil ? consoleMessages.lockedUntil : consoleMessages.notLocked, {
          time: lockedUntil?.slice(0, 16) ?? '',
        })}
      >
        {may.unlock && isLocked && <ActionButton onClick={() => act(unlock(user))}>{t(consoleMessages.unlock)}</ActionButton>}
      </Item>
      <Item
        icon={<IconEdit />}
        title={t(consoleMessages.password)}
        note={passwordUntil ? t(consoleMessages.passwordUntil, { time: passwordUntil.slice(0, 16) }) : t(consoleMessages.ownPassword)}
      >
        {may.reset && <ActionButton onClick={() => act(onReset())}>{t(consoleMessages.reset)}</ActionButton>}
      </Item>
      <Item icon={<IconSafe />} title={t(consoleMessages.secondFactor)} note={t(hasSecondFactor ? consoleMessages.factorOn : consoleMessages.factorOff)}>
        {may.factor && hasSecondFactor && <ActionButton onClick={() => act(resetFactor(user))}>{t(consoleMessages.resetFactor)}</ActionButton>}
      </Item>
    </ItemList>
  );
}

const placeOf = ({ time, address, device }: NonNullable<AccountState['lastSignIn']>) => [time.slice(0, 16), address, device].filter(Boolean).join(' · ');

interface SessionsProps {
  readonly user: UserRow;
  readonly sessions: NonNullable<AccountState['sessions']>;
  readonly onChanged: () => void;
}

function Sessions({ user, sessions, onChanged }: SessionsProps) {
  const t = useTranslation();
  const end = useEndSessions(user, onChanged);
  const mayEnd = useCan('online_kick');
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <div className={styles.sessionsHead}>
        <h4>{t(consoleMessages.sessions, { count: sessions.length })}</h4>
        {mayEnd && others.length > 1 && (
          <ActionButton variant="danger" onClick={() => void end()}>
            {t(consoleMessages.endAll)}
          </ActionButton>
        )}
      </div>
      {sessions.length === 0 && <p className={styles.hint}>{t(consoleMessages.noSessions)}</p>}
      <ItemList>
        {sessions.map(({ id, device, address, createTime, lastUsedAt, isCurrent }) => (
          <Item
            key={id}
            icon={<Icon name={/Android|iOS|iPhone|iPad/i.test(device) ? 'phone' : 'system'} />}
            title={device || t(consoleMessages.unknownDevice)}
            note={`${address} · ${t(consoleMessages.sessionTimes, { since: createTime.slice(0, 16), used: lastUsedAt.slice(0, 16) })}`}
          >
            {isCurrent ? (
              <span className={styles.hint}>{t(consoleMessages.thisSession)}</span>
            ) : (
              mayEnd && (
                <ActionButton aria-label={t(consoleMessages.endNamed, { device: device || address })} onClick={() => void end(id)}>
                  {t(consoleMessages.end)}
                </ActionButton>
              )
            )}
          </Item>
        ))}
      </ItemList>
    </>
  );
}

/** Returns the action that ends one session of a user, or all of them after a confirmation. */
function useEndSessions({ id: userId, realName }: UserRow, onEnded: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  return async (id?: string) => {
    const question = { title: t(consoleMessages.endAll), content: t(consoleMessages.endAllQuestion, { name: realName }) };
    if (!id && !(await dialogs.confirm({ ...question, confirm: question.title, cancel: t(consoleMessages.cancel), danger: true }))) return;
    const answer = await http.send(accountAccess.endSessions, { userId, ...(id ? { ids: [id] } : {}) }).catch(() => undefined);
    if (!answer?.success) return;
    toasts.success(t(consoleMessages.sessionsEnded, { count: answer.data.count }));
    onEnded();
  };
}

import { Button, Checkbox } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import {
  type BatchAction,
  CrudPage,
  type CrudScreen,
  Http,
  lazyComponent,
  OneTimePasswords,
  PluginHost,
  SidePanel,
  Tabs,
  useCan,
  useMutation,
  useQuery,
  useService,
  useTranslation,
  useUnsavedChanges,
} from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { explainPage } from '#shared/menu-groups';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type UserRow, user as userCalls, userStatus } from '../contract.ts';
import { userMenu } from '../menus.ts';
import { AccountPanel } from './AccountPanel.tsx';
import { giveWorkMessages } from './give-work-messages.ts';
import { consoleMessages, nouns } from './messages.ts';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

const GiveWorkPanel = lazyComponent(() => import('./GiveWorkPanel.tsx'));

interface UserTableProps {
  readonly filter: Readonly<Record<string, string>>;
  /** Initial department of new users. */
  readonly deptId: string | undefined;
}

type SavedUser = UserRow & { readonly oneTimePassword?: OneTimePassword };

type OpenedPanel =
  | { readonly panel: 'roles'; readonly ids: readonly string[]; readonly user: UserRow | undefined; readonly screen: CrudScreen<UserRow> }
  | { readonly panel: 'work'; readonly user: UserRow | undefined; readonly screen: CrudScreen<UserRow> }
  | { readonly panel: 'account'; readonly user: UserRow; readonly screen: CrudScreen<UserRow> };

const hasOtherStatusThan =
  (excluded: number) =>
  ({ status }: UserRow) =>
    status !== excluded;

/** Table of users with the actions on their accounts. */
export function UserTable({ filter, deptId }: UserTableProps) {
  const [opened, setOpened] = useState<OpenedPanel>();
  const close = () => setOpened(undefined);
  const tabs = useService(Tabs);
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>();
  const { setStatus, resetPasswords, mailPasswords, mailInstead } = useUserActions();
  const mayReset = useCan('user_reset');
  const reset = resetPasswords(setPasswords);
  const sendsMail = useService(PluginHost).states.some(({ id, status }) => id === 'email' && status === 'running');
  const onMailPasswords = (ids: readonly string[], { batch }: CrudScreen<UserRow>) => void batch(ids, mailPasswords);
  return (
    <>
      <CrudPage
        crud={userCalls}
        title={userMenu.title}
        noun={nouns.user}
        filter={filter}
        {...(deptId ? { initial: { deptId: [deptId] } } : {})}
        fields={[
          'account',
          'realName',
          'status',
          'name',
          'roleId',
          'deptId',
          'postId',
          'phone',
          'email',
          'code',
          'sex',
          'birthday',
          'avatar',
          'userType',
          'passwordExpired',
          'createTime',
        ]}
        columns={{
          account: { width: 128 },
          realName: { width: 104 },
          deptId: { width: 128 },
          roleId: { width: 120 },
          name: { hidden: true },
          postId: { hidden: true },
          email: { hidden: true },
          code: { hidden: true },
          sex: { hidden: true },
          birthday: { hidden: true },
          userType: { hidden: true },
          passwordExpired: { hidden: true },
          createTime: { hidden: true },
        }}
        formWidth={760}
        onSaved={({ oneTimePassword }: SavedUser) => oneTimePassword && setPasswords([oneTimePassword])}
        actions={{
          toolbar: [
            { title: giveWorkMessages.give, code: 'user_role', onClick: (_ids, screen) => setOpened({ panel: 'work', user: undefined, screen }) },
            { title: consoleMessages.reset, code: 'user_reset', when: () => true, onClick: (ids, { batch }) => batch(ids, reset) },
            ...(sendsMail ? [{ title: consoleMessages.mailPasswords, code: 'user_reset', when: () => true, onClick: onMailPasswords }] : []),
            {
              title: consoleMessages.roles,
              code: 'user_role',
              when: () => true,
              onClick: (ids, screen) => setOpened({ panel: 'roles', ids, user: undefined, screen }),
            },
            {
              title: consoleMessages.enable,
              code: 'user_status',
              when: hasOtherStatusThan(userStatus.enabled),
              onClick: (ids, { batch }) => batch(ids, setStatus(userStatus.enabled)),
            },
            {
              title: consoleMessages.disable,
              code: 'user_status',
              when: hasOtherStatusThan(userStatus.disabled),
              onClick: (ids, { batch }) => batch(ids, setStatus(userStatus.disabled)),
            },
          ],
          row: [
            { title: giveWorkMessages.give, code: 'user_role', onClick: (user, screen) => setOpened({ panel: 'work', user, screen }) },
            { title: consoleMessages.roles, code: 'user_role', onClick: (user, screen) => setOpened({ panel: 'roles', ids: [user.id], user, screen }) },
            { title: consoleMessages.account, onClick: (user, screen) => setOpened({ panel: 'account', user, screen }) },
            {
              title: consoleMessages.explain,
              code: explainPage.code,
              onClick: ({ id }) => tabs.open({ location: `${explainPage.path}/index?userId=${id}` }),
            },
          ],
        }}
      />
      {opened?.panel === 'roles' && <RolesPanel ids={opened.ids} user={opened.user} screen={opened.screen} onClose={close} />}
      {opened?.panel === 'work' && (
        <Suspense>
          <GiveWorkPanel
            user={opened.user}
            onClose={close}
            onGiven={(password) => {
              opened.screen.reload();
              close();
              if (password) setPasswords([password]);
            }}
          />
        </Suspense>
      )}
      {opened?.panel === 'account' && (
        <AccountPanel user={opened.user} screen={opened.screen} onClose={close} onReset={() => opened.screen.batch([opened.user.id], reset)} />
      )}
      {passwords && <OneTimePasswords passwords={passwords} onMail={mayReset ? mailInstead : undefined} onClose={() => setPasswords(undefined)} />}
    </>
  );
}

interface RolesPanelProps {
  readonly ids: readonly string[];
  /** The user, when only one is selected. */
  readonly user: UserRow | undefined;
  readonly screen: CrudScreen<UserRow>;
  readonly onClose: () => void;
}

/** Panel that assigns roles to one or several users. */
function RolesPanel({ ids, user, screen, onClose }: RolesPanelProps) {
  const t = useTranslation();
  const title = user ? t(consoleMessages.rolesOf, { name: user.realName }) : t(consoleMessages.rolesOfMany, { count: ids.length });
  return (
    <SidePanel open title={title} width={480} onClose={onClose}>
      <RoleSelect ids={ids} current={user?.roleId ?? []} screen={screen} onClose={onClose} />
    </SidePanel>
  );
}

type RoleSelectProps = Omit<RolesPanelProps, 'user'> & { readonly current: readonly string[] };

function RoleSelect({ ids, current, screen, onClose }: RoleSelectProps) {
  const http = useService(Http);
  const t = useTranslation();
  const roles = useRoles(current);
  const [selectedIds, setSelectedIds] = useState<readonly string[]>(current);
  useUnsavedChanges(selectedIds !== current);

  const grant: BatchAction = {
    title: consoleMessages.roles,
    done: consoleMessages.saved,
    send: async (some) => {
      const { success, data } = await http.send(userCalls.grant, { userIds: [...some], roleIds: [...selectedIds], partial: true });
      return success ? data : undefined;
    },
  };
  const { isPending, mutate } = useMutation(() => screen.batch(ids, grant), { onSuccess: onClose });
  return (
    <div className={styles.panel}>
      {ids.length > 1 && <p>{t(consoleMessages.rolesReplaced)}</p>}
      {roles?.length === 0 && <p>{t(consoleMessages.noRoles)}</p>}
      <fieldset className={styles.choices} aria-busy={!roles}>
        <legend className="visually-hidden">{t(consoleMessages.roles)}</legend>
        {roles?.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={selectedIds.includes(id)}
            onChange={(isWanted) => setSelectedIds(isWanted ? [...selectedIds, id] : selectedIds.filter((one) => one !== id))}
          >
            {name}
          </Checkbox>
        ))}
      </fieldset>
      <div className={styles.buttons}>
        <Button type="primary" loading={isPending} disabled={!roles} onClick={() => void mutate()}>
          {t(consoleMessages.save)}
        </Button>
        <Button onClick={onClose}>{t(consoleMessages.cancel)}</Button>
      </div>
    </div>
  );
}

/** Returns the roles that can be granted and those already assigned, which stay unless they are removed. */
function useRoles(held: readonly string[]): ReplyOf<typeof userCalls.roles> | undefined {
  const ids = held.join(',');
  const grantable = useQuery(userCalls.roles, {});
  const assigned = useQuery(userCalls.roles, { ids }, { enabled: ids !== '' });
  if (!grantable.data || (ids !== '' && assigned.isPending)) return undefined;
  const grantableIds = new Set(grantable.data.map(({ id }) => id));
  return [...grantable.data, ...(assigned.data ?? []).filter(({ id }) => !grantableIds.has(id))];
}

import { Button, Checkbox } from '@arco-design/web-react';
import { useState } from 'react';
import {
  CrudPage,
  type CrudScreen,
  OneTimePasswords,
  SidePanel,
  Tabs,
  Toasts,
  useMutation,
  useQuery,
  useService,
  useTranslation,
  useUnsavedChanges,
} from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { explainPage } from '#shared/explain-page';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type UserRow, user, userStatus } from '../contract.ts';
import { userMenu } from '../menus.ts';
import { AccountPanel } from './AccountPanel.tsx';
import { consoleMessages, nouns } from './messages.ts';
import styles from './UserPage.module.css';
import { useUserActions } from './use-user-actions.ts';

interface UserTableProps {
  readonly filter: Readonly<Record<string, string>>;
  /** Initial department of new users. */
  readonly deptId: string | undefined;
}

type SavedUser = UserRow & { readonly oneTimePassword?: OneTimePassword };

type OpenedDialog =
  | { readonly what: 'roles'; readonly ids: readonly string[]; readonly of: UserRow | undefined; readonly screen: CrudScreen<UserRow> }
  | { readonly what: 'account'; readonly of: UserRow; readonly screen: CrudScreen<UserRow> };

const hasOtherStatusThan =
  (excluded: number) =>
  ({ status }: UserRow) =>
    status !== excluded;

/** Table of users with the actions on their accounts. */
export function UserTable({ filter, deptId }: UserTableProps) {
  const [opened, setOpened] = useState<OpenedDialog>();
  const close = () => setOpened(undefined);
  const tabs = useService(Tabs);
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>();
  const { setStatus, resetPasswords } = useUserActions();
  const reset = async (ids: readonly string[]) => {
    const passwords = await resetPasswords(ids);
    if (passwords) setPasswords(passwords);
  };
  return (
    <>
      <CrudPage
        crud={user}
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
            { title: consoleMessages.reset, code: 'user_reset', when: () => true, onClick: (ids) => void reset(ids) },
            {
              title: consoleMessages.roles,
              code: 'user_role',
              when: () => true,
              onClick: (ids, screen) => setOpened({ what: 'roles', ids, of: undefined, screen }),
            },
            {
              title: consoleMessages.enable,
              code: 'user_status',
              when: hasOtherStatusThan(userStatus.enabled),
              onClick: (ids, screen) => void setStatus(ids, userStatus.enabled, screen),
            },
            {
              title: consoleMessages.disable,
              code: 'user_status',
              when: hasOtherStatusThan(userStatus.disabled),
              onClick: (ids, screen) => void setStatus(ids, userStatus.disabled, screen),
            },
          ],
          row: [
            { title: consoleMessages.roles, code: 'user_role', onClick: (of, screen) => setOpened({ what: 'roles', ids: [of.id], of, screen }) },
            { title: consoleMessages.account, code: 'user_reset', onClick: (of, screen) => setOpened({ what: 'account', of, screen }) },
            {
              title: consoleMessages.explain,
              code: explainPage.code,
              onClick: ({ id }) => tabs.open({ location: `${explainPage.path}/index?userId=${id}` }),
            },
          ],
        }}
      />
      {opened?.what === 'roles' && <RolesPanel ids={opened.ids} of={opened.of} onClose={close} onSaved={opened.screen.reload} />}
      {opened?.what === 'account' && <AccountPanel of={opened.of} onClose={close} onChanged={opened.screen.reload} onReset={() => reset([opened.of.id])} />}
      {passwords && <OneTimePasswords passwords={passwords} onClose={() => setPasswords(undefined)} />}
    </>
  );
}

interface RolesPanelProps {
  readonly ids: readonly string[];
  /** The user, when only one is selected. */
  readonly of: UserRow | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Panel that assigns roles to one or several users. */
function RolesPanel({ ids, of, onClose, onSaved }: RolesPanelProps) {
  const t = useTranslation();
  const title = of ? t(consoleMessages.rolesOf, { name: of.realName }) : t(consoleMessages.rolesOfMany, { count: ids.length });
  return (
    <SidePanel open title={title} width={480} onClose={onClose}>
      <RoleSelect ids={ids} current={of?.roleId ?? []} onClose={onClose} onSaved={onSaved} />
    </SidePanel>
  );
}

type RoleSelectProps = Omit<RolesPanelProps, 'of'> & { readonly current: readonly string[] };

function RoleSelect({ ids, current, onClose, onSaved }: RoleSelectProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const roles = useRoles(current);
  const [selectedIds, setSelectedIds] = useState<readonly string[]>(current);
  useUnsavedChanges(selectedIds !== current);

  const { isPending, mutate } = useMutation(user.grant, {
    onSuccess: () => {
      toasts.success(t(consoleMessages.saved));
      onSaved();
      onClose();
    },
  });
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
        <Button type="primary" loading={isPending} disabled={!roles} onClick={() => void mutate({ userIds: [...ids], roleIds: [...selectedIds] })}>
          {t(consoleMessages.save)}
        </Button>
        <Button onClick={onClose}>{t(consoleMessages.cancel)}</Button>
      </div>
    </div>
  );
}

/** Returns the roles that can be granted and those already assigned, which stay unless they are removed. */
function useRoles(held: readonly string[]): ReplyOf<typeof user.roles> | undefined {
  const ids = held.join(',');
  const grantable = useQuery(user.roles, {});
  const assigned = useQuery(user.roles, { ids }, { enabled: ids !== '' });
  if (!grantable.data || (ids !== '' && assigned.isPending)) return undefined;
  const grantableIds = new Set(grantable.data.map(({ id }) => id));
  return [...grantable.data, ...(assigned.data ?? []).filter(({ id }) => !grantableIds.has(id))];
}

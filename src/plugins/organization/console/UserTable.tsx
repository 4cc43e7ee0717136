import { useState } from 'react';
import { CrudPage, type CrudScreen, OneTimePasswords, Tabs, useService } from '#kernel';
import { explainPage } from '#shared/explain-page';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type UserRow, user, userStatus } from '../contract.ts';
import { userMenu } from '../menus.ts';
import { AccountPanel } from './AccountPanel.tsx';
import { consoleMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { RolesPanel } from './RolesPanel.tsx';
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

const isNot =
  (standing: number) =>
  ({ status }: UserRow) =>
    status !== standing;

/** Table of users with the actions on their accounts. */
export function UserTable({ filter, deptId }: UserTableProps) {
  const [opened, setOpened] = useState<OpenedDialog>();
  const close = () => setOpened(undefined);
  const tabs = useService(Tabs);
  const [passwords, setPasswords] = useState<readonly OneTimePassword[]>();
  const { setStatus, resetPasswords } = useUserActions();
  const reset = async (ids: readonly string[]) => {
    const given = await resetPasswords(ids);
    if (given) setPasswords(given);
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
              when: isNot(userStatus.enabled),
              onClick: (ids, screen) => void setStatus(ids, userStatus.enabled, screen),
            },
            {
              title: consoleMessages.disable,
              code: 'user_status',
              when: isNot(userStatus.disabled),
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

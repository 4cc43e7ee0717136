import { useState } from 'react';
import { CrudPage, type CrudScreen, Tabs, useService } from '#kernel';
import { explainPage } from '#shared/explain-page';
import { type UserRow, user, userStatus } from '../contract.ts';
import { userMenu } from '../menus.ts';
import { AccountPanel } from './AccountPanel.tsx';
import { RolesPanel } from './RolesPanel.tsx';
import { useUserActions } from './use-user-actions.ts';
import { consoleWords } from './words.ts';

interface UserTableProps {
  readonly filter: Readonly<Record<string, string>>;
  /** New users belong here to begin with. */
  readonly deptId: string | undefined;
}

type Opened =
  | { readonly what: 'roles'; readonly ids: readonly string[]; readonly of: UserRow | undefined; readonly screen: CrudScreen<UserRow> }
  | { readonly what: 'account'; readonly of: UserRow; readonly screen: CrudScreen<UserRow> };

const isNot =
  (standing: number) =>
  ({ status }: UserRow) =>
    status !== standing;

/** The users of the tenant, and what may be done to their accounts. */
export function UserTable({ filter, deptId }: UserTableProps) {
  const [opened, open] = useState<Opened>();
  const close = () => open(undefined);
  const tabs = useService(Tabs);
  const { setStatus } = useUserActions();
  return (
    <>
      <CrudPage
        crud={user}
        title={userMenu.title}
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
        actions={{
          toolbar: [
            { title: consoleWords.roles, code: 'user_role', when: () => true, onClick: (ids, screen) => open({ what: 'roles', ids, of: undefined, screen }) },
            {
              title: consoleWords.enable,
              code: 'user_status',
              when: isNot(userStatus.enabled),
              onClick: (ids, screen) => void setStatus(ids, userStatus.enabled, screen),
            },
            {
              title: consoleWords.disable,
              code: 'user_status',
              when: isNot(userStatus.disabled),
              onClick: (ids, screen) => void setStatus(ids, userStatus.disabled, screen),
            },
          ],
          row: [
            { title: consoleWords.roles, code: 'user_role', onClick: (of, screen) => open({ what: 'roles', ids: [of.id], of, screen }) },
            { title: consoleWords.account, code: 'user_reset', onClick: (of, screen) => open({ what: 'account', of, screen }) },
            {
              title: consoleWords.explain,
              code: explainPage.code,
              onClick: ({ id }) => tabs.open({ location: `${explainPage.path}/index?userId=${id}` }),
            },
          ],
        }}
      />
      {opened?.what === 'roles' && <RolesPanel ids={opened.ids} of={opened.of} onClose={close} onSaved={opened.screen.reload} />}
      {opened?.what === 'account' && <AccountPanel of={opened.of} onClose={close} onChanged={opened.screen.reload} />}
    </>
  );
}

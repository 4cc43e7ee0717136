import { useState } from 'react';
import { CrudPage, Http, Preview, Toasts, useService, useWords } from '#kernel';
import type { RowOf } from '#shared/contract';
import { administratorAlias, type Role, role, roleWords } from '../contract.ts';
import { roleMenu } from '../menus.ts';
import { GrantPanel } from './GrantPanel.tsx';
import type { GrantBranch } from './grant-selection.ts';
import type { GrantSource } from './grant-store.ts';
import { MemberPanel } from './MemberPanel.tsx';

type RoleRow = RowOf<typeof Role>;

/** Roles of the tenant: what each may do, and who has it. */
export default function RolePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const preview = useService(Preview);
  const [opened, open] = useState<{ readonly what: 'grant' | 'members'; readonly of: RoleRow }>();
  const close = () => open(undefined);
  const copy = async ({ id, roleName }: RoleRow, reload: () => void) => {
    const answer = await http.send(role.copy, { id, roleName: say(roleWords.copyOf, { name: roleName }).slice(0, 64) });
    if (!answer.success) return;
    toasts.success(say(roleWords.copied, { name: answer.data.roleName }));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={role}
        title={roleMenu.title}
        fields={['roleName', 'roleAlias', 'parentId', 'sort', 'createTime']}
        parents={{ parentId: { call: role.tree } }}
        actions={{
          row: [
            { title: roleWords.grant, code: 'role_grant', onClick: (of) => grant(of) },
            { title: roleWords.members, onClick: (of) => open({ what: 'members', of }) },
            { title: roleWords.copy, code: 'role_grant', onClick: (of, { reload }) => void copy(of, reload) },
            { title: roleWords.preview, code: 'role_preview', onClick: ({ id }) => void preview.begin([id]) },
          ],
          toolbar: [{ title: roleWords.previewChosen, code: 'role_preview', when: () => true, onClick: (ids) => void preview.begin(ids) }],
        }}
      />
      {opened?.what === 'grant' && (
        <GrantPanel title={say(roleWords.grantTo, { name: opened.of.roleName })} source={grantsOf(http, opened.of.id, say)} onClose={close} />
      )}
      {opened?.what === 'members' && <MemberPanel of={opened.of} onClose={close} />}
    </>
  );

  function grant(of: RoleRow) {
    if (of.roleAlias === administratorAlias) toasts.info(say(roleWords.hasAll));
    else open({ what: 'grant', of });
  }
}

/** Menus and data scopes stand in one list, each kind below its own heading; what is chosen is told apart by the prefix. */
const grantsOf = (http: Http, roleId: string, say: ReturnType<typeof useWords>): GrantSource => ({
  tree: async (signal) => {
    const answer = await http.send(role.grantTree, {}, { signal });
    if (!answer.success) return answer;
    const { menu, dataScope, apiScope } = answer.data;
    const sections = [
      headed('menu', say(roleWords.menus), menu),
      headed('data', say(roleWords.dataScopes), dataScope),
      headed('api', say(roleWords.apiScopes), apiScope),
    ].filter(({ children = [] }) => children.length > 0);
    return { ...answer, data: sections };
  },
  chosen: async (signal) => {
    const answer = await http.send(role.grantedKeys, { roleIds: [roleId] }, { signal });
    if (!answer.success) return answer;
    const { menu, dataScope, apiScope } = answer.data;
    const under = (kind: string, ids: readonly string[]) => ids.map((id) => `${kind}:${id}`);
    return { ...answer, data: [...under('menu', menu), ...under('data', dataScope), ...under('api', apiScope)] };
  },
  save: (ids) => {
    const of = (kind: string) => ids.filter((id) => id.startsWith(`${kind}:`)).map((id) => id.slice(kind.length + 1));
    return http.send(role.grant, { roleIds: [roleId], menuIds: of('menu'), dataScopeIds: of('data'), apiScopeIds: of('api') });
  },
});

const headed = (kind: string, title: string, children: GrantBranch[]): GrantBranch => ({
  id: kind,
  key: kind,
  value: kind,
  parentId: '0',
  title,
  category: 0,
  children: children.map((child) => prefixed(kind, child)),
});

const prefixed = (kind: string, { children, ...node }: GrantBranch): GrantBranch => ({
  ...node,
  id: `${kind}:${node.id}`,
  // Pages above scopes are headings; only the scopes below are granted.
  category: kind !== 'menu' && children ? 0 : node.category,
  ...(children ? { children: children.map((child) => prefixed(kind, child)) } : {}),
});

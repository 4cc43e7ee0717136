import { useState } from 'react';
import { CrudPage, Http, Preview, Toasts, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { administratorAlias, type Role, role, roleMessages } from '../contract.ts';
import { roleMenu } from '../menus.ts';
import { GrantPanel } from './GrantPanel.tsx';
import type { GrantBranch } from './grant-selection.ts';
import type { GrantSource } from './grant-store.ts';
import { MemberPanel } from './MemberPanel.tsx';
import { nouns } from './nouns.ts';

type RoleRow = RowOf<typeof Role>;

/** Lists roles of the tenant with their permissions and members. */
export default function RolePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const preview = useService(Preview);
  const [opened, setOpened] = useState<{ readonly panel: 'grant' | 'members'; readonly of: RoleRow }>();
  const close = () => setOpened(undefined);
  const copy = async ({ id, roleName }: RoleRow, reload: () => void) => {
    const answer = await http.send(role.copy, { id, roleName: t(roleMessages.copyOf, { name: roleName }).slice(0, 64) });
    if (!answer.success) return;
    toasts.success(t(roleMessages.copied, { name: answer.data.roleName }));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={role}
        title={roleMenu.title}
        noun={nouns.role}
        fields={['roleName', 'roleAlias', 'parentId', 'sort', 'createTime']}
        parents={{ parentId: { call: role.tree } }}
        actions={{
          row: [
            { title: roleMessages.grant, code: 'role_grant', onClick: (of) => grant(of) },
            { title: roleMessages.members, onClick: (of) => setOpened({ panel: 'members', of }) },
            { title: roleMessages.copy, code: 'role_grant', onClick: (of, { reload }) => void copy(of, reload) },
            { title: roleMessages.preview, code: 'role_preview', onClick: ({ id }) => void preview.begin([id]) },
          ],
          toolbar: [{ title: roleMessages.previewSelected, code: 'role_preview', when: () => true, onClick: (ids) => void preview.begin(ids) }],
        }}
      />
      {opened?.panel === 'grant' && (
        <GrantPanel title={t(roleMessages.grantTo, { name: opened.of.roleName })} source={grantsOf(http, opened.of.id, t)} onClose={close} />
      )}
      {opened?.panel === 'members' && <MemberPanel of={opened.of} onClose={close} />}
    </>
  );

  function grant(of: RoleRow) {
    if (of.roleAlias === administratorAlias) toasts.info(t(roleMessages.administratorHasAll));
    else setOpened({ panel: 'grant', of });
  }
}

/** Menus and scopes share one tree under separate headings; a prefix of the id distinguishes them. */
const grantsOf = (http: Http, roleId: string, t: ReturnType<typeof useTranslation>): GrantSource => ({
  tree: async (signal) => {
    const answer = await http.send(role.grantTree, {}, { signal });
    if (!answer.success) return answer;
    const { menu, dataScope, apiScope } = answer.data;
    const sections = [
      sectionOf('menu', t(roleMessages.menus), menu),
      sectionOf('data', t(roleMessages.dataScopes), dataScope),
      sectionOf('api', t(roleMessages.apiScopes), apiScope),
    ].filter(({ children = [] }) => children.length > 0);
    return { ...answer, data: sections };
  },
  granted: async (signal) => {
    const answer = await http.send(role.grantedKeys, { roleIds: [roleId] }, { signal });
    if (!answer.success) return answer;
    const { menu, dataScope, apiScope } = answer.data;
    const prefixedIds = (kind: string, ids: readonly string[]) => ids.map((id) => `${kind}:${id}`);
    return { ...answer, data: [...prefixedIds('menu', menu), ...prefixedIds('data', dataScope), ...prefixedIds('api', apiScope)] };
  },
  save: (ids, base) => {
    const idsOf = (prefixed: readonly string[], kind: string) => prefixed.filter((id) => id.startsWith(`${kind}:`)).map((id) => id.slice(kind.length + 1));
    return http.send(role.grant, {
      roleIds: [roleId],
      menuIds: idsOf(ids, 'menu'),
      dataScopeIds: idsOf(ids, 'data'),
      apiScopeIds: idsOf(ids, 'api'),
      base: { menu: idsOf(base, 'menu'), dataScope: idsOf(base, 'data'), apiScope: idsOf(base, 'api') },
    });
  },
});

const sectionOf = (kind: string, title: string, children: GrantBranch[]): GrantBranch => ({
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
  // Pages in the scope trees are headings; only the scopes below them can be granted.
  category: kind !== 'menu' && children ? 0 : node.category,
  ...(children ? { children: children.map((child) => prefixed(kind, child)) } : {}),
});

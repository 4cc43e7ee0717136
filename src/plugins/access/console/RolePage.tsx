import { useState } from 'react';
import { CrudPage, Http, Preview, Toasts, type Translate, useAddressText, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { localize } from '#shared/text';
import { administratorAlias, type Role, role as roleCalls, roleMessages, titleOfRole } from '../contract.ts';
import { roleMenu } from '../menus.ts';
import { GrantPanel } from './GrantPanel.tsx';
import type { GrantBranch } from './grant-selection.ts';
import type { GrantSource } from './grant-store.ts';
import { MemberPanel } from './MemberPanel.tsx';
import { nouns } from './nouns.ts';
import { RuleOverview } from './RuleOverview.tsx';
import { visibleRowMessages } from './scope-messages.ts';
import { PersonRows, VisibleRowsPanel } from './VisibleRowsPanel.tsx';

type RoleRow = RowOf<typeof Role>;

/** Lists roles of the tenant with their permissions and members. */
export default function RolePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const preview = useService(Preview);
  const [opened, setOpened] = useState<{ readonly panel: 'grant' | 'members' | 'rows'; readonly role: RoleRow }>();
  const [isOverviewOpen, setOverviewOpen] = useState(false);
  // Other pages link to a person's visible rows by this parameter.
  const [person, setPerson] = useAddressText('person');
  const close = () => setOpened(undefined);
  const nameOf = (role: RoleRow) => t(titleOfRole(role));
  const copy = async (role: RoleRow, reload: () => void) => {
    const answer = await http.send(roleCalls.copy, { id: role.id, ...namesOfCopy(role, t) });
    if (!answer.success) return;
    toasts.success(t(roleMessages.copied, { name: nameOf(answer.data) }));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={roleCalls}
        title={roleMenu.title}
        noun={nouns.role}
        fields={['roleName', 'roleAlias', 'roleNameEn', 'parentId', 'sort', 'requiresSecondFactor', 'createTime']}
        parents={{ parentId: { call: roleCalls.tree } }}
        actions={{
          row: [
            { title: roleMessages.grant, code: 'role_grant', onClick: (role) => grant(role) },
            { title: visibleRowMessages.title, code: 'role_grant', onClick: (role) => limit(role) },
            { title: roleMessages.members, onClick: (role) => setOpened({ panel: 'members', role }) },
            { title: roleMessages.copy, code: 'role_grant', onClick: (role, { reload }) => copy(role, reload) },
            { title: roleMessages.preview, code: 'role_preview', onClick: ({ id }) => preview.begin([id]) },
          ],
          toolbar: [
            { title: visibleRowMessages.overview, code: 'role_grant', onClick: () => setOverviewOpen(true) },
            { title: roleMessages.previewSelected, code: 'role_preview', when: () => true, onClick: (ids) => preview.begin(ids) },
          ],
        }}
      />
      {opened?.panel === 'grant' && (
        <GrantPanel title={t(roleMessages.grantTo, { name: nameOf(opened.role) })} source={grantsOf(http, opened.role.id, t)} onClose={close} />
      )}
      {opened?.panel === 'rows' && <VisibleRowsPanel subject={{ roleId: opened.role.id }} name={nameOf(opened.role)} onClose={close} />}
      {isOverviewOpen && <RuleOverview onClose={() => setOverviewOpen(false)} />}
      {person !== '' && <PersonRows userId={person} onClose={() => setPerson('')} />}
      {opened?.panel === 'members' && <MemberPanel role={opened.role} onClose={close} />}
    </>
  );

  function grant(role: RoleRow) {
    if (role.roleAlias === administratorAlias) toasts.info(t(roleMessages.administratorHasAll));
    else setOpened({ panel: 'grant', role });
  }

  function limit(role: RoleRow) {
    if (role.roleAlias === administratorAlias) toasts.info(t(visibleRowMessages.administratorSeesAll));
    else setOpened({ panel: 'rows', role });
  }
}

/** Names a copy after its role: in both languages if the role has both names, otherwise in the language of the user. */
function namesOfCopy({ roleName, roleNameEn }: RoleRow, t: Translate): Pick<RoleRow, 'roleName'> & Partial<Pick<RoleRow, 'roleNameEn'>> {
  const cut = (name: string) => name.slice(0, 64);
  if (!roleNameEn) return { roleName: cut(t(roleMessages.copyOf, { name: roleName })) };
  return { roleName: cut(localize(roleMessages.copyOf, 'zh', { name: roleName })), roleNameEn: cut(localize(roleMessages.copyOf, 'en', { name: roleNameEn })) };
}

/** Menus and scopes share one tree under separate headings; a prefix of the id distinguishes them. */
const grantsOf = (http: Http, roleId: string, t: Translate): GrantSource => ({
  tree: async (signal) => {
    const answer = await http.send(roleCalls.grantTree, {}, { signal });
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
    const answer = await http.send(roleCalls.grantedKeys, { roleIds: [roleId] }, { signal });
    if (!answer.success) return answer;
    const { menu, dataScope, apiScope } = answer.data;
    const prefixedIds = (kind: string, ids: readonly string[]) => ids.map((id) => `${kind}:${id}`);
    return { ...answer, data: [...prefixedIds('menu', menu), ...prefixedIds('data', dataScope), ...prefixedIds('api', apiScope)] };
  },
  save: (ids, base) => {
    const idsOf = (prefixed: readonly string[], kind: string) => prefixed.filter((id) => id.startsWith(`${kind}:`)).map((id) => id.slice(kind.length + 1));
    return http.send(roleCalls.grant, {
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

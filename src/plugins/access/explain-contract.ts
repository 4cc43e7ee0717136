import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput, TreeOf } from '#shared/contract';
import { Id, Text } from '#shared/fields';
import { GrantNode } from '#shared/menu-entities';
import { ExplainInput, Explanation } from '#shared/permission-explanation';
import { explainMenu } from './menus.ts';

const blade = '/api/blade-system';

const text = Type.Unsafe<string>({ type: 'string' });

/** User who has a role. */
export const Member = Type.Object({
  id: Id(),
  account: Text({ title: ['账号', 'Account'] }),
  realName: Text({ title: ['姓名', 'Name'] }),
  /** Empty for a user without a department. */
  deptName: text,
});
const reader = { code: explainMenu.code };
const SearchText = Type.Object({ text: Type.Optional(Text({ title: ['关键字', 'Keyword'], maxLength: 64 })) });

const PermissionSummary = Type.Object({
  user: Type.Object({ id: text, account: text, name: text }),
  /** False if the account cannot sign in. */
  canSignIn: Type.Boolean(),
  isAdministrator: Type.Boolean(),
  roles: Type.Array(text),
  groups: Type.Array(
    Type.Object({
      title: text,
      pages: Type.Array(
        Type.Object({
          code: text,
          title: text,
          roles: Type.Array(text),
          buttons: Type.Array(text),
          /** False for a page without buttons: every user who opens it may do everything on it. */
          hasButtons: Type.Boolean(),
          /** Rows that the user sees there, unless all. */
          rows: Type.Optional(text),
        }),
      ),
    }),
  ),
});
/** Permissions of a user in a reply. */
export type PermissionSummary = Static<typeof PermissionSummary>;

/** Explains why a user has or lacks a permission, by running the actual checks. */
export const permissionExplanation = {
  explain: get(`${blade}/permission/explain`, { title: ['权限说明', 'Explain permissions'], access: reader, input: ExplainInput, reply: Explanation }),
  /** Summarizes the pages a user has, by which roles, with which buttons and which rows; the caller by default. */
  summary: get(`${blade}/permission/summary`, {
    title: ['权限概览', 'Permission summary'],
    access: reader,
    input: Type.Object({ userId: Type.Optional(Id()) }),
    reply: PermissionSummary,
  }),
  people: get(`${blade}/permission/people`, { title: ['可查询的用户', 'Users to explain'], access: reader, input: SearchText, reply: Type.Array(Member) }),
  entries: get(`${blade}/permission/entries`, { title: ['可查询的菜单', 'Menu items to explain'], access: reader, input: NoInput, reply: TreeOf(GrantNode) }),
  calls: get(`${blade}/permission/calls`, {
    title: ['可查询的接口', 'Calls to explain'],
    access: reader,
    input: SearchText,
    reply: Type.Array(Type.Object({ path: Text({ title: ['地址', 'Address'] }), title: Text({ title: ['名称', 'Name'] }) })),
  }),
};

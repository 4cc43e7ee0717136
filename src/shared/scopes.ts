import { Array as List, Object as Shape } from 'typebox';
import type { Condition } from './condition.ts';
import { entity, get, Nothing } from './contract.ts';
import { Choice, Id, Json, Optional, Reference, Text } from './fields.ts';

const owned = { owner: 'platform' } as const;

/** The kinds of rows this deployment keeps, with the names of their fields. */
export const scopedEntities = get('/api/blade-system/data-scope/entities', {
  title: ['可限定的数据', 'What may be scoped'],
  who: { code: 'data_scope' },
  input: Nothing,
  reply: List(Shape({ id: Text({ title: ['名称', 'Name'] }), name: Text({ title: ['标题', 'Title'] }), fields: List(Text({ title: ['字段', 'Field'] })) })),
});

/** Which rows of a page a role sees, and which of their fields; `wire.md` §4.11. */
export const DataScope = entity(
  'data_scope',
  {
    id: Id(),
    menuId: Id({ title: ['菜单', 'Page'], form: true, search: true }),
    scopeName: Text({ title: ['权限名称', 'Name'], maxLength: 64, search: true }),
    resourceCode: Text({ title: ['权限编号', 'Code'], maxLength: 64, search: true }),
    scopeType: Choice({
      title: ['可见范围', 'Rows'],
      default: 3,
      search: true,
      options: [
        [1, ['全部可见', 'All']],
        [2, ['本人可见', 'Own']],
        [3, ['所在机构可见', 'Own department']],
        [4, ['所在机构及子级可见', 'Department and below']],
        [5, ['自定义', 'Custom']],
      ],
    }),
    scopeClass: Optional(
      Reference({
        title: ['数据', 'Rows of'],
        help: ['留空则为该菜单自己的数据', "Empty: the page's own."],
        from: { call: scopedEntities, maxLength: 64 },
      }),
    ),
    scopeColumn: Optional(
      Text({
        title: ['归属字段', 'Belongs by'],
        maxLength: 64,
        list: false,
        placeholder: ['create_user / create_dept', 'create_user / create_dept'],
        visible: { field: 'scopeType', is: [2, 3, 4] },
      }),
    ),
    scopeField: Text({
      title: ['可见字段', 'Visible fields'],
      maxLength: 1000,
      help: ['* 为全部，或以逗号分隔的字段名', '* for all, or names of fields with commas between.'],
    }),
    scopeValue: Optional(
      Json({
        title: ['条件', 'Condition'],
        help: [
          '例：{"field": "status", "is": [1, 2]}，可用 all、any、is、isNot、filled',
          'Such as {"field": "status", "is": [1, 2]}; all, any, is, isNot, filled.',
        ],
        visible: { field: 'scopeType', is: 5 },
        requiredWhen: { field: 'scopeType', is: 5 },
      }),
    ),
    remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
  },
  owned,
);

/** Addresses of a page that only some roles may call; `wire.md` §4.12. */
export const ApiScope = entity(
  'api_scope',
  {
    id: Id(),
    menuId: Id({ title: ['菜单', 'Page'], form: true, search: true }),
    scopeName: Text({ title: ['权限名称', 'Name'], maxLength: 64, search: true }),
    resourceCode: Text({ title: ['权限编号', 'Code'], maxLength: 64, search: true }),
    scopePath: Text({
      title: ['接口地址', 'Address'],
      pattern: '^/[\\w./*-]*$',
      search: true,
      help: ['可含 *，** 可跨越多级', '* is any part of one step, ** any number of steps.'],
    }),
    scopeType: Choice({
      title: ['类型', 'Kind'],
      default: 2,
      options: [
        [1, ['系统接口', 'System']],
        [2, ['业务接口', 'Business']],
      ],
    }),
    remark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  owned,
);

const depth = 8;

/** A condition out of its JSON; undefined for anything else. */
export function conditionIn(text: string): Condition | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isCondition(parsed, depth) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isCondition(value: unknown, left: number): value is Condition {
  if (typeof value !== 'object' || value === null || left === 0) return false;
  const names = Object.keys(value);
  const { all, any, field, is, isNot, filled } = value as Record<string, unknown>;
  const parts = all ?? any;
  if (names.length === 1 && parts !== undefined) return Array.isArray(parts) && parts.length <= 100 && parts.every((part) => isCondition(part, left - 1));
  if (names.length !== 2 || typeof field !== 'string') return false;
  if (filled !== undefined) return typeof filled === 'boolean';
  const wanted = [is ?? isNot].flat();
  return wanted.length <= 1000 && wanted.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
}

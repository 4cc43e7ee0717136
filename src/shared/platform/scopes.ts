import * as Type from 'typebox';
import type { Condition } from '../contract/condition.ts';
import { entity, get, NoInput } from '../contract/contract.ts';
import { Id, Json, Nullable, Reference, Select, Text } from '../contract/fields.ts';

const entityOptions = { owner: 'platform' } as const;

/** Returns the entities that a data scope can restrict, with the names of their fields. */
export const scopableEntities = get('/api/blade-system/data-scope/entities', {
  title: ['可限定的数据', 'Scopable data'],
  access: { code: 'data_scope' },
  input: NoInput,
  reply: Type.Array(
    Type.Object({ id: Text({ title: ['名称', 'Name'] }), name: Text({ title: ['标题', 'Title'] }), fields: Type.Array(Text({ title: ['字段', 'Field'] })) }),
  ),
});

/** Fields of every scope: the page it belongs to, its name and its code. */
const scopeFields = {
  id: Id(),
  menuId: Id({ title: ['菜单', 'Menu'], form: true, search: true }),
  scopeName: Text({ title: ['权限名称', 'Name'], maxLength: 64, search: true }),
  resourceCode: Text({ title: ['权限编号', 'Code'], maxLength: 64, search: true }),
};

/** Data scope: restricts which rows and which fields of a page the assigned roles see. */
export const DataScope = entity(
  'data_scope',
  {
    ...scopeFields,
    scopeType: Select({
      title: ['可见范围', 'Visible rows'],
      default: 3,
      search: true,
      options: [
        [1, ['全部可见', 'All']],
        [2, ['本人可见', 'Own data']],
        [3, ['所在机构可见', 'Own department']],
        [4, ['所在机构及子级可见', 'Own department and below']],
        [5, ['自定义', 'Custom']],
      ],
    }),
    scopeClass: Nullable(
      Reference({
        title: ['数据', 'Data'],
        onDelete: 'keep',
        help: ['留空则为该菜单自身的数据', 'Leave empty to use the data of the menu.'],
        from: { call: scopableEntities, maxLength: 64 },
      }),
    ),
    scopeColumn: Nullable(
      Text({
        title: ['归属字段', 'Owner field'],
        maxLength: 64,
        list: false,
        placeholder: ['create_user / create_dept', 'create_user / create_dept'],
        visible: { field: 'scopeType', is: [2, 3, 4] },
      }),
    ),
    scopeField: Text({
      title: ['可见字段', 'Visible fields'],
      maxLength: 1000,
      help: ['* 为全部，或以逗号分隔的字段名', '* for all, or field names separated by commas.'],
    }),
    scopeValue: Nullable(
      Json({
        title: ['条件', 'Condition'],
        help: [
          '例：{"field": "status", "is": [1, 2]}，可用 all、any、is、isNot、filled',
          'Example: {"field": "status", "is": [1, 2]}. Supports all, any, is, isNot and filled.',
        ],
        visible: { field: 'scopeType', is: 5 },
        requiredWhen: { field: 'scopeType', is: 5 },
      }),
    ),
    remark: Nullable(Text({ title: ['备注', 'Remark'], list: false })),
  },
  entityOptions,
);

/** API scope: an API path of a page that only the assigned roles can call. */
export const ApiScope = entity(
  'api_scope',
  {
    ...scopeFields,
    scopePath: Text({
      title: ['接口地址', 'API path'],
      pattern: '^/[\\w./*-]*$',
      search: true,
      help: ['可含 *，** 可跨越多级', 'Supports *; ** matches multiple levels.'],
    }),
    scopeType: Select({
      title: ['类型', 'Type'],
      default: 2,
      options: [
        [1, ['系统接口', 'System']],
        [2, ['业务接口', 'Business']],
      ],
    }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  entityOptions,
);

const maxDepth = 8;

/** Parses a condition from JSON; returns undefined if the text is not a valid condition. */
export function parseCondition(text: string): ScopeCondition | undefined {
  try {
    return readCondition(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns a value if it is a valid condition, otherwise undefined. */
export const readCondition = (value: unknown): ScopeCondition | undefined => (isCondition(value, maxDepth) ? value : undefined);

/** Relations of a field to the user who reads: their own id, their departments, or these and all below. */
export const relations = ['me', 'department', 'departmentAndBelow'] as const;
export type Relation = (typeof relations)[number];

/**
 * Condition of a data scope. Fields can be reached through the rows that a row belongs to (`taskId.advertiserId`), related to the user who reads, or name departments with all
 * below them.
 */
export type ScopeCondition =
  | Condition
  | { readonly field: string; readonly of: Relation }
  | { readonly field: string; readonly below: readonly string[] }
  | { readonly all: readonly ScopeCondition[] }
  | { readonly any: readonly ScopeCondition[] };

/** Returns the paths of the fields that a condition reads. */
export function scopePaths(condition: ScopeCondition): string[] {
  if ('all' in condition) return condition.all.flatMap(scopePaths);
  if ('any' in condition) return condition.any.flatMap(scopePaths);
  return [condition.field];
}

function isCondition(value: unknown, remainingDepth: number): value is ScopeCondition {
  if (typeof value !== 'object' || value === null || remainingDepth === 0) return false;
  const names = Object.keys(value);
  const { all, any, field, is, isNot, filled, of, below } = value as Record<string, unknown>;
  const conditions = all ?? any;
  if (names.length === 1 && conditions !== undefined)
    return Array.isArray(conditions) && conditions.length <= 100 && conditions.every((condition) => isCondition(condition, remainingDepth - 1));
  if (names.length !== 2 || typeof field !== 'string') return false;
  if (filled !== undefined) return typeof filled === 'boolean';
  if (of !== undefined) return relations.includes(of as Relation);
  if (below !== undefined) return Array.isArray(below) && below.length <= 1000 && below.every((id) => typeof id === 'string' && /^\d{1,19}$/.test(id));
  const values = [is ?? isNot].flat();
  return values.length <= 1000 && values.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
}

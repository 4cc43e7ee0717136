import * as Type from 'typebox';
import { get, NoContent, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import { Id } from '../contract/fields.ts';
import { type FilterGroup, groupLimits } from '../text/filter-groups.ts';
import { type ListLayout, layoutKinds } from '../text/list-address.ts';

/** Condition of a saved view. */
export interface SavedCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Filters, sort order and columns of a list, with the version of the format. */
export interface SavedView {
  readonly version: number;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly conditions: readonly SavedCondition[];
  readonly where?: FilterGroup<SavedCondition> | undefined;
  readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly layout?: ListLayout | undefined;
  readonly columns: readonly { readonly name: string; readonly hidden?: boolean | undefined; readonly pin?: 'left' | 'right' | undefined }[];
}

/** A view that its owner shares with all users of the tenant who can see the list. */
export interface SharedView {
  id: string;
  name: string;
  view: SavedView;
  /** Real name of the owner. */
  owner: string;
  /** True if the reader shares the view. */
  isOwn: boolean;
  /** True if the reader can withdraw the view: its owner, or an administrator of the tenant. */
  mayWithdraw: boolean;
}

/** Returns the preference key of the saved views of a list. */
export const viewsKey = (list: string) => `views:${list}`;

/** Default view of a list if it is a shared view: its id is stored, and replies contain its current content. */
export interface DefaultView {
  readonly follows?: string | undefined;
  readonly followed?: SavedView | undefined;
}

/** Maximum length of a name, maximum size of a view in bytes of JSON, and maximum number of shared views per list and tenant. */
export const viewLimits = { name: 40, bytes: 16_384, perList: 100 } as const;

export const viewProblems = {
  tooMany: problem(409, [
    '此列表的共享视图已达上限，请先撤回不再使用的视图',
    'The shared view limit of this list has been reached. Withdraw views that are no longer used.',
  ]),
};

const path = '/api/things-system/view';
const nameSchema = { type: 'string', minLength: 1, maxLength: 64 };
const valueSchema = { type: ['string', 'number', 'boolean', 'null'], maxLength: 4000 };
const listPath = Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 160 });
const name = Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: viewLimits.name });
const condition = {
  type: 'object',
  required: ['field', 'operator'],
  additionalProperties: false,
  properties: { field: nameSchema, operator: nameSchema, value: valueSchema },
};
/** Builds the schema of groups that contain further groups down to a depth. */
const groupOf = (depth: number): object => ({
  type: 'object',
  required: ['join', 'of'],
  additionalProperties: false,
  properties: {
    join: { enum: ['and', 'or'] },
    of: { type: 'array', minItems: 1, maxItems: groupLimits.filters, items: depth > 1 ? { anyOf: [condition, groupOf(depth - 1)] } : condition },
  },
});
const View = Type.Unsafe<SavedView>({
  type: 'object',
  required: ['version', 'filters', 'conditions', 'columns'],
  additionalProperties: false,
  properties: {
    version: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    filters: { type: 'object', maxProperties: 100, additionalProperties: { anyOf: [valueSchema, { type: 'array', maxItems: 2, items: valueSchema }] } },
    conditions: {
      type: 'array',
      maxItems: 100,
      items: condition,
    },
    where: groupOf(groupLimits.depth),
    sort: {
      type: 'object',
      required: ['field', 'direction'],
      additionalProperties: false,
      properties: { field: nameSchema, direction: { enum: ['asc', 'desc'] } },
    },
    layout: { type: 'object', required: ['kind', 'field'], additionalProperties: false, properties: { kind: { enum: layoutKinds }, field: nameSchema } },
    columns: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: nameSchema, hidden: { type: 'boolean' }, pin: { enum: ['left', 'right'] }, width: { type: 'number' } },
      },
    },
  },
});

const Shared = Type.Unsafe<SharedView>({
  type: 'object',
  required: ['id', 'name', 'view', 'owner', 'isOwn', 'mayWithdraw'],
  properties: { id: Id(), name, view: {}, owner: { type: 'string' }, isOwn: { type: 'boolean' }, mayWithdraw: { type: 'boolean' } },
});

/** Calls for shared views of a list; each requires permission for the list as well. */
export const sharedViews = {
  list: get(`${path}/list`, { title: ['共享视图', 'Shared views'], access: 'signedIn', input: Type.Object({ of: listPath }), reply: Type.Array(Shared) }),
  /** Shares a view, or updates the one that the caller shares under this name. */
  share: post(`${path}/share`, {
    title: ['共享视图', 'Share a view'],
    access: 'signedIn',
    input: Type.Object({ of: listPath, name, view: View }),
    reply: NoContent,
  }),
  withdraw: post(`${path}/withdraw`, {
    title: ['撤回共享视图', 'Withdraw a shared view'],
    access: 'signedIn',
    input: Type.Object({ id: Id() }),
    reply: NoContent,
  }),
};

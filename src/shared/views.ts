import { Array as List, Object as Shape, Unsafe } from 'typebox';
import { Done, get, post } from './contract.ts';
import { problem } from './errors.ts';
import { Id } from './fields.ts';

/** What a list is narrowed to, how it is ordered and which columns show it, in a form whose version the reader knows. */
export interface SavedView {
  readonly version: number;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly conditions: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
  readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly columns: readonly { readonly name: string; readonly hidden?: boolean | undefined; readonly pin?: 'left' | 'right' | undefined }[];
}

/** A view somebody shares with everybody of their tenant who may see its list. */
export interface SharedView {
  id: string;
  name: string;
  view: SavedView;
  /** The real name of whoever shares it. */
  owner: string;
  /** The reader shares it themself. */
  isOwn: boolean;
  /** The reader may take it back: it is their own, or they administer the tenant. */
  mayWithdraw: boolean;
}

/** Where the views a user keeps of a list are among their preferences. */
export const viewsKey = (list: string) => `views:${list}`;

/** What a user begins a list with where it is a shared view: kept by its id, and answered with what it is by now. */
export interface Followed {
  readonly follows?: string | undefined;
  readonly followed?: SavedView | undefined;
}

/** How long names are, what one view may take in bytes of JSON, and how many of one list may be shared in a tenant. */
export const viewLimits = { name: 40, bytes: 16_384, perList: 100 } as const;

export const viewProblems = {
  tooMany: problem(409, [
    '此列表的共享视图已达上限，请先撤回不用的',
    'This list has as many shared views as it can hold. Withdraw one that is no longer used.',
  ]),
};

const path = '/api/things-system/view';
const named = { type: 'string', minLength: 1, maxLength: 64 };
const plain = { type: ['string', 'number', 'boolean', 'null'], maxLength: 4000 };
/** The address of a list's call. */
const of = Unsafe<string>({ type: 'string', minLength: 1, maxLength: 160 });
const name = Unsafe<string>({ type: 'string', minLength: 1, maxLength: viewLimits.name });
const View = Unsafe<SavedView>({
  type: 'object',
  required: ['version', 'filters', 'conditions', 'columns'],
  additionalProperties: false,
  properties: {
    version: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    filters: { type: 'object', maxProperties: 100, additionalProperties: { anyOf: [plain, { type: 'array', maxItems: 2, items: plain }] } },
    conditions: {
      type: 'array',
      maxItems: 100,
      items: { type: 'object', required: ['field', 'operator'], additionalProperties: false, properties: { field: named, operator: named, value: plain } },
    },
    sort: { type: 'object', required: ['field', 'direction'], additionalProperties: false, properties: { field: named, direction: { enum: ['asc', 'desc'] } } },
    columns: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: named, hidden: { type: 'boolean' }, pin: { enum: ['left', 'right'] }, width: { type: 'number' } },
      },
    },
  },
});

const Shared = Unsafe<SharedView>({
  type: 'object',
  required: ['id', 'name', 'view', 'owner', 'isOwn', 'mayWithdraw'],
  properties: { id: Id(), name, view: {}, owner: { type: 'string' }, isOwn: { type: 'boolean' }, mayWithdraw: { type: 'boolean' } },
});

/** Views of a list that the people of a tenant give each other; each call asks for the right to see that list as well. */
export const sharedViews = {
  list: get(`${path}/list`, { title: ['共享视图', 'Shared views'], who: 'signedIn', input: Shape({ of }), reply: List(Shared) }),
  /** Shares a view, or what has become of the one the caller shares under this name. */
  share: post(`${path}/share`, { title: ['共享视图', 'Share a view'], who: 'signedIn', input: Shape({ of, name, view: View }), reply: Done }),
  withdraw: post(`${path}/withdraw`, { title: ['撤回共享视图', 'Withdraw a shared view'], who: 'signedIn', input: Shape({ id: Id() }), reply: Done }),
};

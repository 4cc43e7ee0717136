import type { Static, TObject } from 'typebox';
import type { LocalizedText } from '../text/text.ts';

export { type Branch, TreeNode, TreeOf } from '../text/tree.ts';
export {
  type Access,
  ById,
  type Call,
  type ColumnTotal,
  type ColumnTotals,
  get,
  type InputOf,
  type LazyRow,
  type ListInput,
  ListQuery,
  level,
  list,
  listProperties,
  maxCountedRows,
  maxRowGroups,
  maxTotalledRows,
  NoContent,
  NoInput,
  type Page,
  PageOf,
  post,
  type ReplyOf,
  type RowGroup,
  type SearchedRange,
  tree,
  withFreshProof,
  withoutCalls,
} from './calls.ts';
export { type Crud, type CrudOptions, crud, type DeletedRow, type LazyTreeCrud, type TreeCrud } from './crud.ts';
export { type Entity, type EntityOptions, entity, type FormOf, type RowOf } from './entity.ts';
/** @deprecated Import them from `#shared/menu-entry`, which does not import contracts; `npm run plugin -- upgrade` changes the import. Removed in 0.3. */
export { type Button, codes, type Menu, menu } from './menu-entry.ts';
export { atMost, before, type Rule, within } from './rules.ts';
export { BatchIds, BatchReply, BatchResult, Ids, maxSelection, type RefusedRow, SelectedIds, withBatchResult } from './submit-schemas.ts';

/** Event: something that has happened. Its name is past tense, `domain:what-happened`; its payload is small and serialisable. */
export interface EventToken<Payload> {
  readonly name: string;
  /** Carries the type of the payload only; never set. */
  readonly payload?: Payload;
}

/** Declares an event. */
export const event = <Payload>(name: `${string}:${string}`): EventToken<Payload> => ({ name });

/** Filter: something that is about to be done. A plugin that handles it can change the value or refuse the action. */
export interface FilterToken<Value> {
  readonly name: string;
  /** Carries the type of the value only; never set. */
  readonly value?: Value;
}

/** Declares a filter. Its name is present tense, `domain:what-is-being-done`. */
export const filter = <Value>(name: `${string}:${string}`): FilterToken<Value> => ({ name });

/** Event that tenants can have sent to servers of their own. */
export interface WebhookEvent<Data extends TObject = TObject> {
  /** A noun and a verb in the past tense, unique in the deployment: `task.published`. Receivers depend on it, so it never changes. */
  readonly name: `${string}.${string}`;
  readonly title: LocalizedText;
  /** Schema of the data that receivers get. Fields can be added later, but not removed or changed. The data leaves the deployment, so it has ids and states, and no personal data that receivers can do without. */
  readonly data: Data;
}

/** Data of a webhook event. */
export type WebhookData<Event extends WebhookEvent> = Static<Event['data']>;

/** Declares an event for webhooks; a server plugin lists it in `webhookEvents`. */
export const webhookEvent = <Data extends TObject>(event: WebhookEvent<Data>): WebhookEvent<Data> => event;

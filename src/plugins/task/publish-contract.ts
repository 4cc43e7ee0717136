import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BatchIds, filter, post } from '#shared/contract';
import { Id, Image, Nullable } from '#shared/fields';

const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });
const Amount = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const text = Type.Unsafe<string>({ type: 'string' });
const optionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Share of one advertiser in tasks that are about to be published. Amounts in 分, null for users who may not see them. */
const Share = Type.Object({
  advertiserId: Id(),
  name: text,
  tasks: IntegerSchema,
  /** Number of free places. */
  places: IntegerSchema,
  /** Unit price of each task × its free places. */
  cost: Amount,
  /** Money with which the advertiser can pay for further work, credit included; null without a plugin that keeps books. */
  available: Amount,
  /** Cost of the cheapest of the tasks. */
  least: Amount,
  /** True if the cost exceeds that money, and tasks beyond it are refused. */
  isLimited: Type.Boolean(),
  /** True if that money does not even cover the cheapest task. */
  isRefused: Type.Boolean(),
});
export type PublicationShare = Static<typeof Share>;

/** Offer as claimers will see it. */
const Preview = Type.Object({
  title: text,
  cover: Nullable(Image({ title: ['封面', 'Cover'] })),
  platform: text,
  /** Names of the cities; empty for all. */
  cities: Type.Array(text),
  unitPrice: Amount,
  places: IntegerSchema,
  perUserLimit: IntegerSchema,
  endTime: optionalText,
  requirement: text,
});
export type OfferPreview = Static<typeof Preview>;

const Plan = Type.Object({ shares: Type.Array(Share), preview: Type.Unsafe<OfferPreview | null>({ ...Preview, type: ['object', 'null'] }) });
/** Effect of a publication; `preview` is null for several tasks. */
export type PublicationPlan = Static<typeof Plan>;

/** Filters the shares of advertisers in a publication that a user considers: a plugin that keeps books adds their money. */
export const PublicationPlanning = filter<readonly PublicationShare[]>('task:publication-planning');

/** Returns the effect of publishing tasks; those that cannot be published are left out. Changes nothing; a POST because many ids exceed an address. */
export const publicationPlan = post('/api/things-task/task/publication-plan', {
  title: ['发布预览', 'Preview publication'],
  access: { code: 'tasks_publish' },
  input: Type.Object({ ids: BatchIds.properties.ids }),
  reply: Plan,
});

import { beforeAll, expect } from '@rstest/core';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { atLeast, isChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';

let server: TestServer;
let entities: readonly Entity[];

beforeAll(async () => {
  ({ server } = await contractServer());
  const { cruds, entities: declared } = census();
  // A check of single plugins also starts others, of which the rows that they refer to may be missing.
  const unchecked = new Set(census((id) => !isChecked(id)).entities.map(({ name }) => name));
  const started = [...server.db.entities.values()].filter(({ name }) => !unchecked.has(name));
  entities = [...started, ...declared, ...cruds.map(({ crud }) => crud.entity)];
});

const references = () =>
  entities.flatMap((entity) =>
    Object.entries(entity.fields).flatMap(([name, schema]) => {
      const { reference, onDelete } = traitsOf(schema) ?? {};
      return reference ? [{ field: `${entity.name}.${name}`, entity, reference, onDelete }] : [];
    }),
  );

ruleTest('reference-deletion', 'every reference field states what happens when the row it refers to is deleted', () => {
  expect(references().length).toBeGreaterThanOrEqual(atLeast(21));
  expect(references().flatMap(({ field, onDelete }) => (onDelete === undefined ? [field] : []))).toEqual([]);
});

ruleTest('reference-deletion', 'a reference that refuses a deletion names an entity of the deployment and one of its fields', () => {
  const refusing = references().filter(({ onDelete }) => onDelete === 'refuse');
  const wrong = refusing.filter(({ reference: { entity, entityField = 'id' } }) => {
    const target = server.db.entities.get(entity ?? '');
    return target === undefined || !Object.hasOwn(target.fields, entityField);
  });
  expect(wrong.map(({ field }) => field)).toEqual([]);
});

ruleTest('archivable-entity', 'an entity whose rows others refer to states whether they can be archived', () => {
  const targets = [...server.db.entities.values()].filter(
    ({ name }) => server.db.references.fieldsTo(name).length > 0 || server.db.references.declaredFor(name).length > 0 || /^dict(_biz)?$/.test(name),
  );
  expect(targets.length).toBeGreaterThanOrEqual(atLeast(16));
  const refusedFor = (name: string) =>
    references().flatMap(({ field, reference, onDelete }) => (onDelete === 'refuse' && reference.entity === name ? [field] : []));
  const unstated = targets
    .filter(({ archivable }) => archivable === undefined)
    .map(({ name }) => `${name}, which ${refusedFor(name).join(' and ') || 'a plugin'} refers to`);
  expect(unstated).toEqual([]);
});

ruleTest('reference-page', 'rows that refuse a deletion have a page whose title names them', () => {
  const refusing = references().filter(({ onDelete }) => onDelete === 'refuse');
  expect(refusing.filter(({ entity }) => server.db.references.pageOf(entity.name) === undefined).map(({ field }) => field)).toEqual([]);
});

productTest('rows of money cannot be removed, archived or restored by any call', () => {
  const money = new Set(['ledger_posting', 'receipt', 'payout', 'payment_reconciliation', 'payment_difference', 'ledger_month', 'ledger_journal']);
  const calls = server.host.routes.map(({ call }) => call.path);
  const screens = census(() => true).cruds.map(({ crud }) => crud);
  expect(
    screens
      .filter(({ entity, remove, restore, archive, recycled }) => money.has(entity.name) && (remove || restore || archive || recycled || entity.archivable))
      .map(({ entity }) => entity.name),
  ).toEqual([]);
  expect(
    calls.filter((path) =>
      /\/(ledger|receipt|weixinpay|payout|reconciliation)[^/]*\/(remove|restore|archive|unarchive|archived-list|recycle-list)$/.test(path),
    ),
  ).toEqual([]);
});

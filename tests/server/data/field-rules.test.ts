import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { type Database, repositoryOf } from '../../../src/server/data/index.ts';
import { atMost, before, entity, within } from '../../../src/shared/contract/contract.ts';
import { ApiError } from '../../../src/shared/contract/errors.ts';
import { DateTime, Id, Integer, Nullable, Reference, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const Band = entity('band', {
  id: Id(),
  low: Integer({ title: ['下限', 'Low'] }),
  high: Integer({ title: ['上限', 'High'] }),
});
const Offer = entity(
  'offer',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'] }),
    bandId: Nullable(Reference({ title: ['档位', 'Band'], from: { call: { path: '/bands' } } })),
    price: Integer({ title: ['价格', 'Price'], default: 1 }),
    least: Nullable(Integer({ title: ['最少', 'Least'] })),
    most: Nullable(Integer({ title: ['最多', 'Most'] })),
    beginTime: Nullable(DateTime({ title: ['开始', 'Begin'] })),
    endTime: Nullable(DateTime({ title: ['结束', 'End'], notPast: true })),
  },
  {
    rules: [
      before('beginTime', 'endTime'),
      atMost('least', 'most'),
      within('price', { reference: 'bandId', entity: 'band', minimum: 'low', maximum: 'high', unlimited: 0 }),
    ],
  },
);

const migrations = `
  create table band (like base_row including all, low integer not null, high integer not null);
  call own_by_tenant('band');
  create table offer (
    like base_row including all,
    name varchar(255) not null,
    band_id bigint,
    price integer not null,
    least integer,
    most integer,
    begin_time timestamptz(0),
    end_time timestamptz(0)
  );
  call own_by_tenant('offer');
`;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
const scope = { tenantId: 'acme' };

beforeAll(async () => {
  opened = await openTestDatabase({ migrations, timeZone: 'Asia/Tokyo' });
  db = opened.db;
});
afterAll(() => opened.drop());

const offers = () => repositoryOf(db, Offer);
const write = <Result>(work: () => Promise<Result>) => db.write(scope, work);
const save = (form: object) => write(() => offers().save(form as never));
const refusal = (form: object) =>
  save(form).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? { field: error.field, message: error.problem.message[0] } : error),
  );

test('the whole resulting row is judged: an edit that sends one end is compared with the stored other one', async () => {
  expect(await refusal({ name: 'a', least: 5, most: 4 })).toMatchObject({ field: 'most', message: '最多不能低于最少' });
  const { id } = await save({ name: 'a', least: 5, most: 9, beginTime: '2099-01-01 00:00:00', endTime: '2099-01-02 00:00:00' });
  expect(await refusal({ id, most: 4 })).toMatchObject({ field: 'most' });
  expect(await refusal({ id, least: 10 })).toMatchObject({ field: 'most' });
  expect(await refusal({ id, endTime: '2098-12-31 00:00:00' })).toMatchObject({ field: 'endTime', message: '结束须晚于开始' });
  expect(await refusal({ id, least: 9, name: 'b' })).toBeUndefined();
  expect(await refusal({ id, most: null, least: 99 })).toBeUndefined();
});

test('bounds of a referenced record are read when the row is saved; 0 is no limit', async () => {
  const bands = () => repositoryOf(db, Band);
  const band = await write(() => bands().save({ low: 10, high: 20 }));
  expect(await refusal({ name: 'a', bandId: band.id, price: 9 })).toMatchObject({ field: 'price', message: '价格不能低于 10' });
  expect(await refusal({ name: 'a', bandId: band.id, price: 21 })).toMatchObject({ field: 'price', message: '价格不能超过 20' });
  const offer = await save({ name: 'a', bandId: band.id, price: 20 });
  await write(() => bands().save({ id: band.id, low: 10, high: 0 }));
  expect(await refusal({ id: offer.id, price: 21 })).toBeUndefined();
  expect(await refusal({ name: 'a', price: 1 })).toBeUndefined();
});

test('a new or changed time in the past is refused in the zone of the deployment; a row whose time has passed can be edited otherwise', async () => {
  const at = async (offset: string) => {
    const [row] = await queryRows<{ time: string }>(db, sql.raw(`select to_char(now() + interval '${offset}', 'YYYY-MM-DD HH24:MI:SS') as time`));
    return row?.time;
  };
  const [past, future] = await write(async () => [await at('-1 minute'), await at('1 minute')] as const);
  expect(await refusal({ name: 'a', endTime: past })).toMatchObject({ field: 'endTime' });
  const { id } = await save({ name: 'a', endTime: future });
  await write(() => db.sql.execute(sql.raw(`update offer set end_time = '2020-01-01 00:00:00' where id = ${id}`)));
  expect(await refusal({ id, name: 'b' })).toBeUndefined();
  expect(await refusal({ id, name: 'c', endTime: '2020-01-01 00:00:00' })).toBeUndefined();
  expect(await refusal({ id, endTime: '2020-01-02 00:00:00' })).toMatchObject({ field: 'endTime' });
});

test('rows that are added together are judged one by one', async () => {
  const forms = [
    { name: 'a', least: 1, most: 2 },
    { name: 'b', least: 3, most: 2 },
  ];
  const added = await db.write(scope, () => offers().addAll(forms as never));
  expect(added).toMatchObject([{ name: 'a' }, { problem: { message: ['最多不能低于最少', expect.any(String)] } }]);
});

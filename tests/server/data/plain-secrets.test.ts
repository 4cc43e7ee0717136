import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { decryptStored, encryptPlainTexts, queryRows } from '#server';
import { testDatabase } from '../../support/test-database.ts';

test('texts in the clear are encrypted batch by batch, each once, by several servers at a time, and can be read meanwhile', async () => {
  const db = await testDatabase({ migrations: "create table account (id bigint primary key, number text, mask text not null default '')" });
  const asPlatform = <Result>(work: () => Promise<Result>) => db.asPlatform('encrypts texts of a test', work);
  await asPlatform(() =>
    db.sql.execute(sql`insert into account select n, case when n % 100 = 0 then '' else 'number-' || n end from generate_series(1, 500) n`),
  );
  await asPlatform(() => db.sql.execute(sql`insert into account values (501, null)`));
  const texts = {
    find: (limit: number) =>
      sql`select id::text as id, number as text from account where number <> '' and number not like 'sealed:%' limit ${limit} for update skip locked`,
    store: (encrypted: string) =>
      sql`update account a set number = e.text, mask = e.mask from jsonb_to_recordset(${encrypted}::jsonb) as e (id bigint, text text, mask text) where a.id = e.id`,
    maskOf: (text: string) => text.slice(-1),
  };
  const encrypt = () => asPlatform(() => encryptPlainTexts(db, texts));
  const rows = () =>
    asPlatform(() => queryRows<{ id: number; number: string | null; mask: string }>(db, sql`select id::integer as id, number, mask from account order by id`));
  const plain = async () => (await rows()).filter(({ number }) => number && !number.startsWith('sealed:')).length;
  expect(await encrypt()).toBe(true);
  expect(await plain()).toBe(295);
  for (const { id, number } of await rows()) if (number) expect(decryptStored(db, number)).toBe(`number-${id}`);
  const before = (await rows()).filter(({ number }) => number?.startsWith('sealed:'));
  await Promise.all([encrypt(), encrypt()]);
  while (await encrypt());
  expect(await plain()).toBe(0);
  expect(await encrypt()).toBe(false);
  const after = await rows();
  expect(after.filter(({ id }) => before.some((one) => one.id === id))).toEqual(before);
  for (const { id, number, mask } of after) if (number) expect([decryptStored(db, number), mask]).toEqual([`number-${id}`, String(id % 10)]);
  expect(after.filter(({ number }) => !number).map(({ number, mask }) => [number, mask])).toEqual([...Array(5).fill(['', '']), [null, '']]);
});

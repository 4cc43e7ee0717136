import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { Encryption } from '../../../src/server/base/encryption.ts';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import type { Database } from '../../../src/server/data/index.ts';
import { resealSecrets } from '../../../src/server/host/reseal-secrets.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const [former, current, foreign] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array];
let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const tables = 'create table vault (id integer primary key, secret text, note varchar(200), short varchar(20)); create table empty (secret text)';
  ({ db, drop } = await openTestDatabase({ migrations: tables }));
});
afterAll(() => drop());

const encryptionWith = (key: Uint8Array) => {
  const encryption = new Encryption();
  encryption.setKey(key);
  return encryption;
};
const stored = () =>
  db.asPlatform('a test', () => queryRows<{ id: number; secret: string; note: string | null }>(db, sql`select id, secret, note from vault order by id`));

test('secrets of a former key are encrypted with the current one, in every table and column, and rows that are written meanwhile keep their values', async () => {
  const before = encryptionWith(former);
  await db.asPlatform('a test', async () => {
    for (let from = 0; from < 3000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => ({ id: from + index, secret: before.encrypt(`secret ${from + index}`) }));
      await db.sql.execute(
        sql`insert into vault (id, secret, note) select id, secret, case when id % 100 = 0 then secret else 'sealed: not really' end
            from json_to_recordset(${JSON.stringify(rows)}::json) as made (id integer, secret text)`,
      );
    }
  });
  db.encryption.setKey(current, former);
  const written = db.encryption.encrypt('written meanwhile');
  let isOver = false;
  // Each write moves its rows to other blocks, with the secrets as they are.
  const moving = (async () => {
    for (let turn = 0; !isOver; turn += 1)
      await db.asPlatform('a test', () => db.sql.execute(sql`update vault set short = ${String(turn)} where id % 7 = ${turn % 7}`));
  })();
  const [report] = await Promise.all([
    resealSecrets(db),
    db.asPlatform('a test', () => db.sql.execute(sql`update vault set secret = ${written} where id = 7`)),
  ]).finally(() => {
    isOver = true;
  });
  await moving;
  expect(report.unreadable).toEqual(new Map());
  expect(report.resealed).toBeGreaterThanOrEqual(3029);

  // The former key is no longer needed.
  const withoutFormer = encryptionWith(current);
  for (const { id, secret, note } of await stored()) {
    expect(withoutFormer.decrypt(secret)).toBe(id === 7 ? 'written meanwhile' : `secret ${id}`);
    if (id % 100 === 0) expect(withoutFormer.decrypt(note ?? '')).toBe(`secret ${id}`);
    else expect(note).toBe('sealed: not really');
  }
  expect(await resealSecrets(db)).toEqual({ resealed: 0, unreadable: new Map() });
});

test('secrets that no key decrypts are reported by column and stay', async () => {
  const lost = encryptionWith(foreign).encrypt('lost');
  await db.asPlatform('a test', () => db.sql.execute(sql`delete from vault where id > 0`));
  await db.asPlatform('a test', () => db.sql.execute(sql`insert into vault (id, secret) values (1, ${lost})`));
  expect(await resealSecrets(db)).toEqual({ resealed: 0, unreadable: new Map([['vault.secret', 1]]) });
  expect((await stored()).find(({ id }) => id === 1)?.secret).toBe(lost);
});

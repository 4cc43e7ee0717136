import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../../../src/server/data/index.ts';
import { preparedTemplate } from '../../support/test-database.ts';

const lamp = { id: 'lamp', title: ['灯具', 'Lamps'] as const };

/** Returns the columns of the table that these migrations create, as a database from their template has them. */
async function columnsOf(migrations: Readonly<Record<string, string>>): Promise<{ path: string; columns: unknown[] }> {
  const path = await preparedTemplate({}, [{ plugin: lamp, migrations }]);
  onTestFinished(() => rm(path, { force: true }));
  const db = await openDatabase({ template: path, timeZone: 'UTC' });
  try {
    const rows = await db.asPlatform('tests look at columns', () =>
      db.sql.execute(sql`select column_name as name from information_schema.columns where table_name = 'lamp' order by ordinal_position`),
    );
    return { path, columns: (rows as unknown as { name: string }[]).map(({ name }) => name) };
  } finally {
    await db.close();
  }
}

test('a template is used again until a migration of a plugin changes', { timeout: 180_000 }, async () => {
  const first = await columnsOf({ '0001-lamp.sql': 'create table lamp (id bigint);' });
  const again = await columnsOf({ '0001-lamp.sql': 'create table lamp (id bigint);' });
  const changed = await columnsOf({ '0001-lamp.sql': 'create table lamp (id bigint, colour text);' });
  expect(again).toEqual(first);
  expect([first.columns, changed.columns]).toEqual([['id'], ['id', 'colour']]);
  expect(changed.path).not.toBe(first.path);
});

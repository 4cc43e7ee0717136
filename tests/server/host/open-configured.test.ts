import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { readConfiguration } from '../../../src/server/base/configuration/configuration.ts';
import { openConfigured } from '../../../src/server/host/open-configured.ts';
import { freshDatabase, onServer, serverUrl } from '../../support/test-database.ts';

test.runIf(serverUrl !== undefined)('a server opens as many connections as DATABASE_CONNECTIONS says, and further calls wait for one', async () => {
  const url = await freshDatabase(serverUrl ?? '');
  const configuration = readConfiguration({ NODE_ENV: 'development', DATABASE_URL: url, DATABASE_CONNECTIONS: '4' });
  const db = await openConfigured(configuration, () => undefined);
  try {
    const calls = Array.from({ length: 9 }, () => db.read({ tenantId: 'any' }, () => db.sql.execute(sql`select pg_sleep(0.5)`)));
    await expect.poll(() => db.connections(), { timeout: 5000 }).toEqual({ primary: { open: 4, busy: 4, waiting: 5 } });
    await Promise.all(calls);
  } finally {
    await db.close();
    await onServer(serverUrl ?? '', `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
  }
});

test('too few connections are refused with a sentence', () => {
  expect(() => readConfiguration({ NODE_ENV: 'development', DATABASE_READ_URL: 'postgres://user@standby/marquee' })).toThrow(/needs DATABASE_URL/);
  expect(() => readConfiguration({ NODE_ENV: 'development', DATABASE_CONNECTIONS: '2' })).toThrow(/DATABASE_CONNECTIONS/);
});

import { expect, test } from '@rstest/core';
import type { Database } from '../../../src/server/data/index.ts';
import { waitForDatabase } from '../../../src/server/data/open-database.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });
const opened = {} as Database;

/** Fails with each code in turn, then opens the database. */
function opening(...codes: string[]): () => Promise<Database> {
  return async () => {
    const code = codes.shift();
    if (code !== undefined) throw failure(code);
    return opened;
  };
}

test('a database that is still starting is waited for, with one message', async () => {
  let said = 0;
  expect(await waitForDatabase(opening('ENOTFOUND', 'ECONNREFUSED', '57P03'), 30, () => (said += 1))).toBe(opened);
  expect(said).toBe(1);
});

test('one that is not there in time, or refuses, is not waited for', async () => {
  const silently = () => expect.unreachable();
  await expect(waitForDatabase(opening('28P01'), 30, silently)).rejects.toThrow('28P01');
  await expect(waitForDatabase(opening('ECONNREFUSED'), 0, silently)).rejects.toThrow('ECONNREFUSED');
});

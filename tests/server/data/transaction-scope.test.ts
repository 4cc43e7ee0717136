import { expect, test } from '@rstest/core';
import { platform } from '../../../src/server/data/context/identity.ts';
import { DatabaseSession } from '../../../src/server/data/database/session.ts';
import { TransactionScope } from '../../../src/server/data/database/transaction-scope.ts';

/** Returns a transaction on a connection that records its scripts and rejects those that a pattern matches. */
function transactionOn(failing?: RegExp) {
  const scripts: string[] = [];
  const session = new DatabaseSession({
    query: async () => [],
    script: async (statements) => {
      scripts.push(statements);
      if (failing?.test(statements)) throw new Error('refused');
    },
  });
  return { scripts, transaction: new TransactionScope(session) };
}

test('a nested transaction that is begun after the end sends nothing', async () => {
  const { scripts, transaction } = transactionOn();
  let late: Promise<unknown> | undefined;
  await transaction.execute(platform, async (scope) => {
    // Queues it behind the end of the transaction, which is queued in the next microtasks.
    setImmediate(() => (late = scope.nest(platform, async () => undefined).catch((error: Error) => error.message)));
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await late).toBe('The transaction of this statement has ended. Await every statement inside it.');
  expect(scripts.filter((script) => script.includes('savepoint'))).toEqual([]);
});

test('a transaction whose beginning fails halfway is rolled back', async () => {
  const { scripts, transaction } = transactionOn(/^begin/);
  await expect(transaction.execute(platform, async () => undefined)).rejects.toThrow('refused');
  expect(scripts.at(-1)).toBe('rollback');
});

test('a transaction is not committed once a nested one could not be rolled back, even if its work goes on', async () => {
  const { scripts, transaction } = transactionOn(/savepoint/);
  const work = transaction.execute(platform, (scope) => scope.nest(platform, async () => undefined).catch(() => undefined));
  await expect(work).rejects.toThrow('so the transaction was rolled back');
  expect([scripts.includes('commit'), scripts.at(-1)]).toEqual([false, 'rollback']);
});

import { expect, rs, test } from '@rstest/core';
import { RemoteDatabase, type ServerCalls } from '../../../../src/server/host/contained/process/remote-database.ts';

/** A server that numbers the transactions it is asked for. */
function serverCalls(): ServerCalls {
  let last = 1;
  const server = {
    begin: async () => {
      last += 1;
      return { value: last };
    },
    end: async () => ({ value: undefined }),
    expectCommit: async () => ({ value: undefined }),
  } as Partial<ServerCalls['server']> as ServerCalls['server'];
  return { server, valueOf: (reply) => (reply as { value?: unknown }).value };
}

const inTenant = { tenantId: '000000' };

test('hooks of a transaction are dropped with the outer one that is rolled back', async () => {
  const db = new RemoteDatabase('embedded', serverCalls());
  const hook = rs.fn();
  const work = async () => {
    await db.write(inTenant, async () => {
      await db.write(inTenant, async () => db.afterCommit(hook));
      throw new Error('The outer transaction fails.');
    });
  };
  await expect(db.inFrame({ frame: 1, scope: null, actor: undefined }, work)).rejects.toThrow('The outer transaction fails.');
  for (const frame of [1, 2, 3]) db.committed(frame);
  expect(hook).not.toHaveBeenCalled();
});

test('hooks of a transaction run once it has committed, even if its request fails afterwards', async () => {
  const db = new RemoteDatabase('embedded', serverCalls());
  const hook = rs.fn();
  const work = async () => {
    await db.write(inTenant, async () => db.afterCommit(hook));
    db.committed(2);
    throw new Error('The request fails.');
  };
  await expect(db.inFrame({ frame: 1, scope: null, actor: undefined }, work)).rejects.toThrow('The request fails.');
  expect(hook).toHaveBeenCalledTimes(1);
});

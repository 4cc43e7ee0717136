import { expect, test } from '@rstest/core';
import { audit } from '#plugins/task/contract';
import { WorkbenchStore } from '../../../../src/plugins/task/console/workbench-store.ts';
import { Refused, ScriptedHttp } from '../../../support/scripted-http.ts';

const item = (id: string) => ({ id, taskTitle: `task ${id}`, images: [], twins: [] });

/** Creates a store with a queue of this length, which gets the answers of the server. */
async function opened(count: number, decide: () => unknown = () => ({ count: 1 }), undo: () => unknown = () => null) {
  const waiting = new Set(Array.from({ length: count }, (_, index) => String(index + 1)));
  const http = new ScriptedHttp({
    [audit.lease.path]: ({ size, except }) =>
      [...waiting]
        .filter((id) => !(except as string[]).includes(id))
        .slice(0, Number(size))
        .map(item),
    [audit.counts.path]: () => ({ pending: waiting.size, held: 0, passedToday: 0, rejectedToday: 0, undoSeconds: 60 }),
    [audit.decide.path]: decide,
    [audit.undo.path]: undo,
    [audit.release.path]: () => null,
  });
  const store = new WorkbenchStore(http as never, 3);
  await store.refresh();
  const shown = () => store.state.currentId;
  const held = () => store.state.items.map(({ id }) => id);
  return { http, store, shown, held, waiting };
}

test('the next item shows before the server has answered, and decided ones do not return', async () => {
  const { http, store, shown, held } = await opened(3);
  http.hold();
  const decided = store.decide(1);
  expect(shown()).toBe('2');
  while (http.to('doAudit').length < 1) await Promise.resolve();
  for (let count = 0; count < 4; count += 1) http.release();
  expect(await decided).toBe(true);
  expect(held()).toEqual(['2', '3']);
});

test('a role preview peeks at the queue, and neither leases nor decides nor releases', async () => {
  const http = new ScriptedHttp({
    [audit.peek.path]: () => ['1', '2'].map(item),
    [audit.counts.path]: () => ({ pending: 2, held: 0, passedToday: 0, rejectedToday: 0, undoSeconds: 60 }),
  });
  const store = new WorkbenchStore(http as never, 3, true);
  await store.refresh();
  expect(store.state.items.map(({ id }) => id)).toEqual(['1', '2']);
  expect(await store.decide(1)).toBe(false);
  store.skip();
  expect(await store.undo()).toBe(false);
  store.lifetime.unsubscribe();
  expect(store.state.currentId).toBe('1');
  for (const path of ['audit/take', 'doAudit', 'audit/release', 'audit/undo']) expect(http.to(path)).toHaveLength(0);
});

test('a refused decision returns, and cannot be undone', async () => {
  const { store, held } = await opened(2, () => new Refused(409, 'taken'));
  expect(await store.decide(2, 'no')).toBe(false);
  expect(held().sort()).toEqual(['1', '2']);
  expect(store.state.decided).toBeUndefined();
});

test('of several items those that cannot be decided are reported and return, and the others can be undone', async () => {
  const refused = { id: '3', title: 'task 3', code: 409, message: 'taken' };
  const { http, store, held } = await opened(3, () => ({ count: 2, done: 2, total: 3, rows: [refused] }));
  store.selectItems(['1', '2', '3']);
  expect(await store.decide(1)).toBe(false);
  expect(store.state.partial).toEqual({ done: 2, total: 3, rows: [refused] });
  expect(held()).toEqual(['3']);
  store.dismissPartial();
  expect(store.state.partial).toBeUndefined();
  expect(await store.undo()).toBe(true);
  expect(http.to('audit/undo')[0]?.input).toEqual({ ids: ['1', '2'] });
});

test('undoing a decision shows its item', async () => {
  const { http, store, shown } = await opened(3);
  await store.decide(1);
  expect(await store.undo()).toBe(true);
  expect(shown()).toBe('1');
  expect(http.to('audit/undo')[0]?.input).toEqual({ ids: ['1'] });
  expect(await store.undo()).toBe(false);
});

test('a decision whose undo fails on the network can be undone again, one that the server refuses cannot', async () => {
  const outcomes: (() => unknown)[] = [
    () => {
      throw new Error('no network');
    },
    () => null,
    () => new Refused(409, 'too late'),
  ];
  const { store, shown } = await opened(3, undefined, () => outcomes.shift()?.());
  await store.decide(1);
  expect(await store.undo()).toBe(false);
  expect(store.state.decided?.items.map(({ id }) => id)).toEqual(['1']);
  expect(await store.undo()).toBe(true);
  expect(shown()).toBe('1');
  await store.decide(1);
  expect(await store.undo()).toBe(false);
  expect(store.state.decided).toBeUndefined();
});

test('an undo that comes before the answer of its decision leaves out the items that were refused', async () => {
  const { http, store } = await opened(3, () => ({ count: 2, done: 2, total: 3, rows: [{ id: '3', title: 'task 3', code: 409, message: 'taken' }] }));
  store.selectItems(['1', '2', '3']);
  http.hold();
  const decided = store.decide(1);
  const undone = store.undo();
  const timer = setInterval(() => http.release(), 1);
  expect(await decided).toBe(false);
  expect(await undone).toBe(true);
  clearInterval(timer);
  expect(http.to('audit/undo')[0]?.input).toEqual({ ids: ['1', '2'] });
});

test('selected items are decided together', async () => {
  const { http, store, held } = await opened(3);
  store.selectItems(['1', '3']);
  await store.decide(2, 'no');
  expect(http.to('doAudit')[0]?.input).toEqual({ ids: ['1', '3'], status: 2, partial: true, reason: 'no' });
  expect(held()).toEqual(['2']);
});

test('an auditor with enough items requests no more when the queue has moved', async () => {
  const { http, store } = await opened(40);
  await store.refresh();
  await store.refresh();
  expect(http.to('audit/take')).toHaveLength(1);
});

test('skipped items are offered to others, and again when nothing else is left', async () => {
  const { http, store, shown, waiting } = await opened(2);
  store.skip();
  expect(shown()).toBe('2');
  expect(http.to('audit/release')[0]?.input).toEqual({ ids: ['1'] });
  waiting.delete('2');
  await store.decide(1);
  await expect.poll(shown, { timeout: 10_000 }).toBe('1');
});

test('“Later” is about the shown item only: while others are selected it does nothing', async () => {
  const { http, store, held } = await opened(3);
  store.selectItems(['2', '3']);
  store.skip();
  expect(http.to('audit/release')).toHaveLength(0);
  expect(held()).toEqual(['1', '2', '3']);
  expect(store.state.selected).toEqual(['2', '3']);
});

test('items that are leased while the page is being closed are released, and none are leased afterwards', async () => {
  const { http, store, waiting } = await opened(1);
  waiting.add('2');
  http.hold();
  const refill = store.refresh();
  store.lifetime.unsubscribe();
  // The replies to the counts, the lease and the release.
  for (let count = 0; count < 3; count += 1) http.release();
  await refill;
  expect(http.to('audit/release').map(({ input }) => input.ids)).toEqual([['1'], ['1', '2']]);
  await store.refresh();
  expect(http.to('audit/take')).toHaveLength(2);
});

test('leaving the page releases its items', async () => {
  const { http, store } = await opened(2);
  store.lifetime.unsubscribe();
  expect(http.to('audit/release')[0]?.input).toEqual({ ids: ['1', '2'] });
});

import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { type Observable, Subject } from 'rxjs';
import type { Live } from '#kernel';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import { InboxStore } from '../../../../src/plugins/inbox/console/inbox-store.ts';
import { Refused, ScriptedHttp } from '../../../support/scripted-http.ts';

const entryOf = (id: string): InboxEntry => ({
  id,
  kind: 'mail',
  title: `盘点 ${id}`,
  body: '',
  status: null,
  link: null,
  isRead: false,
  isSample: false,
  createTime: '2026-11-24 09:00:00',
});

let arrived: string[];
let refuses: boolean;
let unread: number;
let changes: Subject<{ kind: string }>;
let server: ScriptedHttp;
let store: InboxStore;

const titles = () => store.state.lists.mail.entries.map(({ id }) => id);
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

beforeEach(() => {
  arrived = ['1'];
  refuses = false;
  unread = 1;
  changes = new Subject();
  const live = { build$: new Subject<string>(), stream: ({ name }: { name: string }) => (name.startsWith('inbox') ? changes : new Subject()) };
  server = new ScriptedHttp({
    [inbox.list.path]: ({ before }) => ({ entries: before ? [entryOf('0')] : arrived.toReversed().map(entryOf), hasMore: !before }),
    [inbox.unread.path]: () => ({ mail: unread, message: 0, notice: 0 }),
    [inbox.read.path]: () => (refuses ? new Refused(500, 'no') : true),
    [inbox.readAll.path]: () => (refuses ? new Refused(500, 'no') : true),
  });
  store = new InboxStore(server, live as unknown as Live & { stream: () => Observable<never> }, 0);
});

afterEach(() => store.dispose());

test('an entry that arrives while older ones are being loaded is shown with them', async () => {
  await store.load('mail');
  const more = store.loadMore('mail');
  arrived.push('2');
  changes.next({ kind: 'mail' });
  await more;
  await settled();
  expect(titles()).toContain('2');
});

test('an entry that is not stored as read is shown as unread again', async () => {
  await store.load('mail');
  refuses = true;
  await store.read(entryOf('1'));
  expect(store.state.lists.mail.entries[0]?.isRead).toBe(false);
  await store.readAll('mail');
  expect(store.state.lists.mail.entries[0]?.isRead).toBe(false);
  refuses = false;
  await store.readAll('mail');
  expect(store.state.lists.mail.entries[0]?.isRead).toBe(true);
});

test('the number of unread entries is the one of the latest request, whichever reply comes last', async () => {
  server.hold();
  const first = store.count();
  const second = store.count();
  await settled();
  server.release(1);
  await second;
  unread = 9;
  server.release(0);
  await first;
  expect(store.state.counts.mail).toBe(1);
});

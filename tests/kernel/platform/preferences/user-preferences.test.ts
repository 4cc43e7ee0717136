import { afterEach, beforeEach, expect, rstest, test } from '@rstest/core';
import { preference, type UserPreference } from '#shared/preferences';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { UserPreferences } from '../../../../src/kernel/platform/preferences/user-preferences.ts';
import { Refused, ScriptedHttp } from '../../../support/scripted-http.ts';

const storage = new JsonStorage(localStorage, 'test-');
let opened: UserPreferences[] = [];

beforeEach(() => {
  localStorage.clear();
  rstest.useFakeTimers();
});
afterEach(() => {
  for (const one of opened.splice(0)) one.dispose();
  rstest.useRealTimers();
  opened = [];
});

const offline = () => {
  throw new Error('offline');
};

function open(answers: Record<string, (input: Record<string, unknown>) => unknown> = {}, name = 'preferences:1') {
  const server: UserPreference[] = [];
  const http = new ScriptedHttp({
    [preference.list.path]: () => [...server],
    [preference.submit.path]: () => null,
    [preference.remove.path]: () => null,
    ...answers,
  });
  const preferences = new UserPreferences({ http, storage, name });
  opened.push(preferences);
  return { preferences, http, server, sent: () => http.to(preference.submit.path).map(({ input }) => input) };
}

test('a change applies at once and is sent once after a delay, for any number of changes', async () => {
  const { preferences, sent } = open();
  preferences.write('table:a', 1, 'first');
  preferences.write('table:a', 1, 'last');
  expect(preferences.read('table:a', 1)).toBe('last');
  expect(sent()).toEqual([]);
  await rstest.advanceTimersByTimeAsync(500);
  expect(sent()).toEqual([{ key: 'table:a', version: 1, value: 'last' }]);
});

test('values of the server are applied without being sent back, and another version is ignored', async () => {
  const { preferences, server, http } = open();
  server.push({ key: 'table:a', version: 2, value: 'known' });
  await preferences.load();
  await rstest.advanceTimersByTimeAsync(60_000);
  expect(preferences.read('table:a', 2)).toBe('known');
  expect(preferences.read('table:a', 1)).toBeUndefined();
  expect(http.sent.map(({ path }) => path)).toEqual([preference.list.path]);
});

test('without the network a change waits in this browser, and overrides the server’s value later', async () => {
  const away = open({ [preference.submit.path]: offline });
  away.preferences.write('table:a', 1, 'mine');
  await rstest.advanceTimersByTimeAsync(500);
  away.preferences.dispose();

  const back = open();
  back.server.push({ key: 'table:a', version: 1, value: 'old' });
  await back.preferences.load();
  expect(back.preferences.read('table:a', 1)).toBe('mine');
  await rstest.advanceTimersByTimeAsync(10);
  expect(back.sent()).toEqual([{ key: 'table:a', version: 1, value: 'mine' }]);
});

test('a request that fails after the console has closed is not repeated there', async () => {
  const { preferences, http, sent } = open({ [preference.submit.path]: offline });
  http.hold();
  preferences.write('table:a', 1, 'mine');
  await rstest.advanceTimersByTimeAsync(500);
  preferences.dispose();
  http.release();
  await rstest.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
});

test('waiting changes are sent when the network is back; a refusal is not retried', async () => {
  let isAway = true;
  const { preferences, sent } = open({ [preference.submit.path]: () => (isAway ? offline() : new Refused(413, 'too large')) });
  preferences.write('table:a', 1, 'mine');
  await rstest.advanceTimersByTimeAsync(500);
  isAway = false;
  window.dispatchEvent(new Event('online'));
  await rstest.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(2);
});

test('a deleted preference is gone at once, and each user has their own', async () => {
  const { preferences, http } = open();
  preferences.write('table:a', 1, 'mine');
  await rstest.advanceTimersByTimeAsync(500);
  expect(open({}, 'preferences:2').preferences.read('table:a', 1)).toBeUndefined();
  preferences.remove('table:a');
  expect(preferences.read('table:a', 1)).toBeUndefined();
  await rstest.advanceTimersByTimeAsync(500);
  expect(http.to(preference.remove.path).map(({ input }) => input)).toEqual([{ key: 'table:a' }]);
});

test('a change that the server accepts while the values are read is kept, and a removal stays removed', async () => {
  let reply: (rows: UserPreference[]) => void = () => undefined;
  const { preferences } = open({ [preference.list.path]: () => new Promise<UserPreference[]>((resolve) => (reply = resolve)) });
  const loaded = preferences.load();
  preferences.write('table:a', 1, 'mine');
  preferences.write('table:b', 1, 'mine');
  await rstest.advanceTimersByTimeAsync(500);
  preferences.remove('table:b');
  await rstest.advanceTimersByTimeAsync(500);
  reply([
    { key: 'table:a', version: 1, value: 'earlier' },
    { key: 'table:c', version: 1, value: 'known' },
  ]);
  await loaded;
  expect(['a', 'b', 'c'].map((name) => preferences.read(`table:${name}`, 1))).toEqual(['mine', undefined, 'known']);
});

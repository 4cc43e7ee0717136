import { afterEach, expect, rs, test } from '@rstest/core';
import { oauth } from '#shared/auth';
import { event } from '#shared/contract';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { LiveOpened, liveEvents, liveHeartbeatMs, PermissionChanged } from '#shared/live';
import { menuButtons, menuRoutes } from '#shared/menus';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { bootConsole } from '../../../../src/kernel/boot/boot.ts';
import { SessionLocked } from '../../../../src/kernel/platform/http/http.ts';
import { BrowserLive, type BrowserLiveDeps } from '../../../../src/kernel/platform/live/browser-live.ts';
import { SignedOut } from '../../../../src/kernel/platform/session/session.ts';
import { ScriptedStreams } from '../../../support/scripted-streams.ts';
import { answer, refusal } from '../../../support/scripted-transport.ts';
import { type TestCoreServices, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

afterEach(() => void rs.useRealTimers());

const Lit = event<{ lamp: number }>('lamp:lit');
const opening = { build: 'b1', permissions: 'p1', resumed: false };

/** Creates a console's live service on scripted streams, with short reconnection delays. */
function liveOn({ core, transport, session }: TestCoreServices, change: Partial<BrowserLiveDeps> = {}) {
  const live = new BrowserLive({
    transport,
    session,
    bus: core.get(Bus),
    clientHeaders: {},
    channelName: `live-${Math.random()}`,
    initialDelayMs: 1,
    ...change,
  });
  core.onDispose(() => live.dispose());
  const lamps: number[] = [];
  live.stream(Lit).subscribe(({ lamp }) => lamps.push(lamp));
  return { live, lamps };
}

test('events arrive typed and once, with the token in a header only', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const { lamps, live } = liveOn(kernel);
  const builds: string[] = [];
  live.build$.subscribe((build) => builds.push(build));
  const stream = await streams.next();
  expect(stream.request).toMatchObject({ method: 'GET', path: liveEvents.path, headers: { 'Things-Auth': 'bearer access-1' } });
  expect(stream.request.query).toBeUndefined();
  expect(stream.request.headers['Last-Event-ID']).toBeUndefined();
  expect(Number(stream.request.headers['Live-Since'])).toBeGreaterThanOrEqual(2000);
  stream.send(LiveOpened, opening, '100');
  stream.send(Lit, { lamp: 1 }, '101');
  stream.send(Lit, { lamp: 1 }, '101');
  stream.write(':\n\n');
  stream.send(Lit, { lamp: 0 }, '99');
  stream.write('id: 10');
  stream.write('2\nevent: lamp:lit\ndata: {"lamp"');
  stream.write(':2}\n\n');
  await streams.settled(() => lamps.length >= 2);
  expect({ lamps, builds }).toEqual({ lamps: [1, 2], builds: ['b1'] });
});

test('a broken stream is resumed after the last event, without repetitions', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const { lamps, live } = liveOn(kernel);
  const resumed: boolean[] = [];
  live.stream(LiveOpened).subscribe((opened) => resumed.push(opened.resumed));
  const first = await streams.next();
  first.send(LiveOpened, opening, '100');
  first.send(Lit, { lamp: 1 }, '101');
  await streams.settled(() => lamps.length === 1);
  first.break();
  const second = await streams.next();
  expect(second.request.headers['Last-Event-ID']).toBe('101');
  expect(second.request.headers['Live-Since']).toBeUndefined();
  second.send(LiveOpened, { ...opening, resumed: true });
  second.send(Lit, { lamp: 1 }, '101');
  second.send(Lit, { lamp: 2 }, '102');
  await streams.settled(() => lamps.length === 2);
  second.end();
  const third = await streams.next();
  expect(third.request.headers['Last-Event-ID']).toBe('102');
  third.send(LiveOpened, opening, '500');
  third.send(Lit, { lamp: 3 }, '499');
  third.send(Lit, { lamp: 4 }, '501');
  await streams.settled(() => lamps.length === 3);
  expect({ lamps, resumed }).toEqual({ lamps: [1, 2, 4], resumed: [false, true, false] });
});

test('an unavailable server is retried with growing delays', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const started = Date.now();
  liveOn(kernel, { initialDelayMs: 20 });
  for (let attempt = 0; attempt < 4; attempt += 1) await streams.next(503);
  await streams.next();
  // The delays are 20, 40, 80 and 160 ms, each shortened by at most half.
  expect(Date.now() - started).toBeGreaterThanOrEqual(140);
});

test('a connection that is silent for three heartbeats is closed and opened again', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  rs.useFakeTimers();
  liveOn(kernel);
  const wait = (milliseconds: number) => rs.advanceTimersByTimeAsync(milliseconds);
  await wait(10);
  const first = await streams.next();
  await wait(liveHeartbeatMs * 2);
  first.write(':\n\n');
  await wait(liveHeartbeatMs * 3 - 1000);
  expect(first.request.signal.aborted).toBe(false);
  await wait(1000);
  expect(first.request.signal.aborted).toBe(true);
  await wait(10);
  const second = await streams.next();
  expect(second.request.signal.aborted).toBe(false);
  expect(streams.opened).toBe(2);
});

test('a rejected token is renewed once; a session that cannot be renewed ends', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const ended: string[] = [];
  kernel.listen(SignedOut, ({ reason }) => ended.push(reason));
  kernel.transport.answer(answer(oauth.token, tokenReply(2)));
  liveOn(kernel);
  await streams.next(401);
  expect((await streams.next()).request.headers['Things-Auth']).toBe('bearer access-2');
  kernel.transport.answer(refusal(oauth.token, 400, '登录已过期，请重新登录'));
  streams.last.break();
  await streams.next(401);
  await streams.settled(() => ended.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect({ ended, opened: streams.opened }).toEqual({ ended: ['refused'], opened: 3 });
});

test('a locked session is reported as locked', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  let locked = 0;
  kernel.listen(SessionLocked, () => {
    locked += 1;
  });
  liveOn(kernel);
  await streams.next(423);
  await streams.settled(() => locked > 0);
});

test('all resources are released when the console closes', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const { live } = liveOn(kernel);
  const stream = await streams.next();
  (live as BrowserLive).dispose();
  expect(stream.request.signal.aborted).toBe(true);
});

test('one tab of a browser reads the stream, the others follow, and the next one takes over at the same position', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const undo = withLocks();
  const channelName = 'shared';
  const first = liveOn(kernel, { channelName });
  const stream = await streams.next();
  stream.send(LiveOpened, opening, '100');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = liveOn(kernel, { channelName });
  const builds: string[] = [];
  second.live.build$.subscribe((build) => builds.push(build));
  const resumed: boolean[] = [];
  second.live.stream(LiveOpened).subscribe((opened) => resumed.push(opened.resumed));
  await streams.settled(() => builds.length > 0);
  stream.send(Lit, { lamp: 1 }, '101');
  await streams.settled(() => second.lamps.length === 1 && first.lamps.length === 1);
  expect({ builds, resumed, opened: streams.opened }).toEqual({ builds: ['b1'], resumed: [true], opened: 1 });
  first.live.dispose();
  const next = await streams.next();
  expect(next.request.headers['Last-Event-ID']).toBe('101');
  next.send(LiveOpened, { ...opening, resumed: true });
  next.send(Lit, { lamp: 2 }, '102');
  await streams.settled(() => second.lamps.length === 2);
  expect({ first: first.lamps, second: second.lamps }).toEqual({ first: [1], second: [1, 2] });
  second.live.dispose();
  undo();
});

test('a tab that joins learns the disabled plugins and safe mode from the tab that reads the stream', async () => {
  const kernel = await testCoreServices();
  const streams = new ScriptedStreams(kernel.transport);
  const undo = withLocks();
  const first = liveOn(kernel, { channelName: 'joined' });
  const stream = await streams.next();
  stream.send(LiveOpened, { ...opening, off: ['notice'], safe: true }, '100');
  const joined = async () => {
    const opened: unknown[] = [];
    const { live } = liveOn(kernel, { channelName: 'joined' });
    live.stream(LiveOpened).subscribe(({ off, safe }) => opened.push({ off, safe }));
    await streams.settled(() => opened.length > 0);
    live.dispose();
    return opened;
  };
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await joined()).toEqual([{ off: ['notice'], safe: true }]);
  const switched: unknown[] = [];
  first.live.stream(PluginsSwitched).subscribe(({ off }) => switched.push(off));
  stream.send(PluginsSwitched, { off: ['loyalty'] });
  await streams.settled(() => switched.length > 0);
  expect(await joined()).toEqual([{ off: ['loyalty'], safe: true }]);
  first.live.dispose();
  undo();
});

test('menu and codes are reloaded when permissions change, also after an interruption', async () => {
  const { core, transport } = await testCoreServices();
  const streams = new ScriptedStreams(transport);
  const console = bootConsole(core, []);
  await console.settled;
  transport.requests.length = 0;
  const asked = () => [transport.to(menuRoutes).length, transport.to(menuButtons).length];
  const stream = await streams.next();
  stream.send(LiveOpened, opening, '100');
  stream.send(PermissionChanged, {});
  await streams.settled(() => asked()[0] === 1);
  expect(asked()).toEqual([1, 1]);
  stream.end();
  const again = await streams.next();
  again.send(LiveOpened, { ...opening, permissions: 'p2', resumed: true });
  await streams.settled(() => asked()[0] === 2);
  expect(asked()).toEqual([2, 2]);
  console.dispose();
});

/** Fakes the part of the Web Locks API that tabs use. */
function withLocks(): () => void {
  const queues = new Map<string, Promise<unknown>>();
  const request = (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work()));
    queues.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  return () => void Reflect.deleteProperty(navigator, 'locks');
}

import { expect, test } from '@rstest/core';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { LiveOpened } from '#shared/live';
import { bootConsole } from '../../../../src/kernel/boot/boot.ts';
import type { LoadablePlugin, Plugin } from '../../../../src/kernel/host/plugin/plugin.ts';
import { Live } from '../../../../src/kernel/platform/live/live.ts';
import { ScriptedStreams } from '../../../support/scripted-streams.ts';
import { testCoreServices } from '../../../support/test-kernel.ts';
import { named, pageOf, statuses } from './plugins.ts';

const opening = { build: 'b1', permissions: 'p1', resumed: false };
const family = () => [named('a'), named('b', { dependencies: ['a'] }), named('c', { dependencies: ['b'] }), named('core', { core: true })];

/** Creates a console that receives plugin states; `until` waits for the status of its plugins. */
async function following(plugins: readonly (Plugin | LoadablePlugin)[]) {
  const { core, transport, toasts } = await testCoreServices();
  const streams = new ScriptedStreams(transport);
  const entries = plugins.map((one): LoadablePlugin => ('load' in one ? one : { id: one.id, load: async () => ({ default: one }) }));
  const kernel = bootConsole(core, entries, { phaseTimeoutMs: 50 });
  const stream = await streams.next();
  return {
    ...kernel,
    toasts,
    stream,
    streams,
    until: (expected: object) => streams.settled(() => JSON.stringify(statuses(kernel.host)) === JSON.stringify(expected)),
  };
}

test('a plugin that is disabled elsewhere stops here, dependents first, and starts again when enabled', async () => {
  const { host, stream, until, dispose } = await following(family());
  stream.send(LiveOpened, { ...opening, off: [] }, '100');
  stream.send(PluginsSwitched, { off: ['a', 'b', 'c', 'core'] });
  await until({ a: 'disabled: switched-off', b: 'disabled: switched-off', c: 'disabled: switched-off', core: 'running' });
  stream.send(PluginsSwitched, { off: [] });
  await until({ a: 'running', b: 'running', c: 'running', core: 'running' });
  expect(host.states.map(({ faults }) => faults)).toEqual([0, 0, 0, 0]);
  dispose();
});

test('an operator whose page disappears is notified, on any page', async () => {
  const { stream, until, toasts, container, settled, dispose } = await following([named('a', { pages: [pageOf('a')] }), named('b')]);
  await settled;
  history.replaceState(null, '', '/test/a/index');
  container
    .get(Live)
    .stream(PluginsSwitched)
    .subscribe(() => history.replaceState(null, '', '/403'));
  stream.send(PluginsSwitched, { off: ['a'] });
  await until({ a: 'disabled: switched-off', b: 'running' });
  expect(toasts.shown).toEqual(['warning 管理员已停用插件「a」']);
  dispose();
});

test('an operator who keeps a page is asked once for its plugin and the dependents', async () => {
  const { host, stream, streams, dispose } = await following(family());
  const asked: (readonly string[])[] = [];
  host.guard(async (ids) => {
    asked.push(ids);
    return false;
  });
  stream.send(PluginsSwitched, { off: ['a', 'b', 'c'] });
  await streams.settled(() => asked.length > 0);
  await host.enable('core');
  expect(asked).toEqual([['a', 'c', 'b']]);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running', core: 'running' });
  dispose();
});

test('a restarting console does not load plugins that were disabled when it last connected', async () => {
  localStorage.setItem('test-plugins-off:000000', '["lazy"]');
  let reads = 0;
  const lazy: LoadablePlugin = {
    id: 'lazy',
    load: async () => {
      reads += 1;
      return { default: named('lazy') };
    },
  };
  const { stream, until, dispose } = await following([lazy, named('b', { dependencies: ['lazy'] })]);
  await until({ lazy: 'disabled: switched-off', b: 'skipped: dependency' });
  expect(reads).toBe(0);
  stream.send(LiveOpened, { ...opening, off: [] }, '100');
  await until({ lazy: 'running', b: 'running' });
  dispose();
});

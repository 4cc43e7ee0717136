import { expect, test } from '@rstest/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { contribute, HomePanels } from '#kernel';
import { menuButtons, menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import type { LoadablePlugin, Plugin } from '../../../../src/kernel/host/plugin/plugin.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { menuItem, testCoreServices, testKernel } from '../../../support/test-kernel.ts';
import { named, pageOf, statuses } from './plugins.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });

/** Creates a plugin whose source changes: `write` replaces it as the development server does. */
function editablePlugin(first: Plugin) {
  let load: LoadablePlugin['load'] = () => Promise.resolve({ default: first });
  let replace: (() => void) | undefined;
  const entry: LoadablePlugin = {
    id: first.id,
    load: () => load(),
    changed: (listener) => {
      replace = listener;
      return () => {
        replace = undefined;
      };
    },
  };
  const write = (next: Plugin | Error) => {
    load = () => (next instanceof Error ? Promise.reject(next) : Promise.resolve({ default: next }));
    replace?.();
  };
  return { entry, write };
}

/** Creates plugins that record the order in which they start and stop. */
function recordingPlugins() {
  const order: string[] = [];
  const create = (id: string, name: string, parts: Partial<Plugin> = {}) =>
    named(id, {
      pages: [pageOf(id)],
      start: ({ onStop }) => {
        order.push(`+${name}`);
        onStop(() => order.push(`-${name}`));
      },
      ...parts,
    });
  return { order, create };
}

/** Waits until all queued work of the host is done. */
const waitForHost = (host: { enable(id: string): Promise<boolean> }) => host.enable('unknown');

test('a changed plugin is replaced alone; its dependents keep running and never see it missing', async () => {
  const { order, create } = recordingPlugins();
  const editable = editablePlugin(create('a', 'a'));
  const { host } = await testKernel({ plugins: [editable.entry, create('b', 'b', { dependencies: ['a'] }), create('c', 'c')] });
  const seen: string[][] = [];
  host.pages$.subscribe(({ all }) => seen.push(all.map(({ pluginId, menu }) => `${pluginId} ${menu.title[1]}`)));
  order.length = 0;
  const renamed = { ...pageOf('a'), menu: { ...pageOf('a').menu, title: ['甲', 'New'] as const } };
  editable.write(create('a', 'a changed', { pages: [renamed] }));
  await waitForHost(host);
  expect(order).toEqual(['-a', '+a changed']);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running' });
  expect(seen).toEqual([
    ['a a', 'b b', 'c c'],
    ['a New', 'b b', 'c c'],
  ]);
});

test('dependents of a plugin that shares a service restart with it', async () => {
  class Rates {
    constructor(readonly rate = 1) {}
  }
  const { order, create } = recordingPlugins();
  const editable = editablePlugin(
    create('a', 'a', {
      provide: (provide, share) => {
        provide(Rates, []);
        share(Rates, Rates);
      },
    }),
  );
  const { host } = await testKernel({ plugins: [editable.entry, create('b', 'b', { dependencies: ['a'] }), create('c', 'c')] });
  order.length = 0;
  editable.write(create('a', 'a changed'));
  await waitForHost(host);
  expect(order).toEqual(['-b', '-a', '+a changed', '+b']);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running' });
});

test('an error of the new version quarantines only that plugin, whatever the phase, and the next version replaces it', async () => {
  const { order, create } = recordingPlugins();
  const editable = editablePlugin(create('a', 'a'));
  const { host } = await testKernel({ plugins: [editable.entry, create('b', 'b', { dependencies: ['a'] })] });
  order.length = 0;
  const faults: (Plugin | Error)[] = [
    new Error('no module'),
    create('other', 'other'),
    create('a', 'bad', {
      start: () => {
        throw new Error('no start');
      },
    }),
    create('a', 'lost', { dependencies: ['nowhere'] }),
  ];
  const states: (string | undefined)[] = [];
  for (const fault of faults) {
    editable.write(fault);
    await waitForHost(host);
    states.push(statuses(host).a);
    expect(statuses(host).b).toBe('running');
    expect(host.registeredPages.all.map(({ pluginId }) => pluginId)).toEqual(['b']);
  }
  expect(states).toEqual(['quarantined: error', 'quarantined: malformed', 'quarantined: error', 'quarantined: missing']);
  editable.write(create('a', 'mended'));
  await waitForHost(host);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running' });
  expect(order).toEqual(['-a', '+mended']);
});

test('a plugin that failed to load is loaded again on retry; a disabled one stays disabled and uses the new version later', async () => {
  const { order, create } = recordingPlugins();
  const editable = editablePlugin(create('a', 'a'));
  const { host } = await testKernel({ plugins: [editable.entry] });
  editable.write(new Error('no module'));
  await waitForHost(host);
  expect(await host.enable('a')).toBe(false);
  await host.disable('a');
  editable.write(create('a', 'later'));
  await waitForHost(host);
  expect(statuses(host)).toEqual({ a: 'disabled: switched-off' });
  expect(await host.enable('a')).toBe(true);
  expect(order).toEqual(['+a', '-a', '+later']);
});

test('the open page and the panel of a replaced plugin use the new version, other pages keep their input, and errors name the plugin', async () => {
  const version = (word: string) =>
    named('a', {
      pages: [{ ...pageOf('a'), load: () => Promise.resolve({ default: () => <p>page {word}</p> }) }],
      contributions: [contribute(HomePanels, { title: ['板', 'Panel'], load: () => Promise.resolve({ default: () => <p>panel {word}</p> }) })],
    });
  const editable = editablePlugin(version('one'));
  const other = named('b', { pages: [{ ...pageOf('b'), load: () => Promise.resolve({ default: () => <input aria-label="note" /> }) }] });
  const menu = menuItem('all', { name: '全部', children: [menuItem('a', { name: '甲', path: '/test/a' }), menuItem('b', { name: '乙', path: '/test/b' })] });
  history.replaceState(null, '', '/wel/index');
  const { core } = await testCoreServices({ answers: [answer(menuRoutes, [menu]), answer(menuButtons, [])] });
  const console = openConsole(core, [editable.entry, { id: 'b', load: () => Promise.resolve({ default: other }) }]);
  try {
    render(console.screen);
    await screen.findByText('panel one');
    const navigation = within(await screen.findByRole('navigation', { name: '主导航' }));
    const openPage = async (name: string) => user.click(await navigation.findByRole('link', { name }));
    await user.click(await navigation.findByRole('button', { name: '全部' }));
    await openPage('乙');
    const note = await screen.findByRole('textbox', { name: 'note' });
    await user.type(note, 'unsaved');
    await openPage('甲');
    await screen.findByText('page one');
    editable.write(version('two'));
    await screen.findByText('page two');
    editable.write(new Error('no module'));
    await screen.findByText('插件「a」未运行，其他功能不受影响。');
    editable.write(version('three'));
    await screen.findByText('page three');
    expect(note).toHaveProperty('value', 'unsaved');
    expect(note.isConnected).toBe(true);
    await openPage('首页');
    await screen.findByText('panel three');
  } finally {
    cleanup();
    console.close();
  }
});

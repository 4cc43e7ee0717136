import { expect, test } from '@rstest/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { contribute, HomePanels } from '#kernel';
import { menuButtons, menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import type { Plugin, PluginEntry } from '../../../../src/kernel/host/plugin/plugin.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { menuItem, testKernel, testLight } from '../../../support/test-kernel.ts';
import { named, pageOf, statuses } from './plugins.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });

/** Creates a plugin whose source changes: `write` stands for the message of the development server. */
function written(first: Plugin) {
  let load: PluginEntry['load'] = () => Promise.resolve({ default: first });
  let replace: (() => void) | undefined;
  const entry: PluginEntry = {
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

/** Records the order in which related plugins start and stop. */
function family() {
  const order: string[] = [];
  const member = (id: string, name: string, parts: Partial<Plugin> = {}) =>
    named(id, {
      pages: [pageOf(id)],
      start: ({ onStop }) => {
        order.push(`+${name}`);
        onStop(() => order.push(`-${name}`));
      },
      ...parts,
    });
  return { order, member };
}

/** Waits until all queued work of the host is done. */
const settled = (host: { enable(id: string): Promise<boolean> }) => host.enable('nobody');

test('a changed plugin is replaced alone; its dependents keep running and never see it missing', async () => {
  const { order, member } = family();
  const author = written(member('a', 'a'));
  const { host } = await testKernel({ plugins: [author.entry, member('b', 'b', { dependencies: ['a'] }), member('c', 'c')] });
  const seen: string[][] = [];
  host.pages$.subscribe(({ all }) => seen.push(all.map(({ pluginId, menu }) => `${pluginId} ${menu.title[1]}`)));
  order.length = 0;
  const renamed = { ...pageOf('a'), menu: { ...pageOf('a').menu, title: ['甲', 'New'] as const } };
  author.write(member('a', 'a again', { pages: [renamed] }));
  await settled(host);
  expect(order).toEqual(['-a', '+a again']);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running' });
  expect(seen).toEqual([
    ['a a', 'b b', 'c c'],
    ['a New', 'b b', 'c c'],
  ]);
});

test('dependents that may hold one of its services restart', async () => {
  class Rates {
    constructor(readonly rate = 1) {}
  }
  const { order, member } = family();
  const author = written(
    member('a', 'a', {
      provide: (provide, share) => {
        provide(Rates, []);
        share(Rates, Rates);
      },
    }),
  );
  const { host } = await testKernel({ plugins: [author.entry, member('b', 'b', { dependencies: ['a'] }), member('c', 'c')] });
  order.length = 0;
  author.write(member('a', 'a again'));
  await settled(host);
  expect(order).toEqual(['-b', '-a', '+a again', '+b']);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running' });
});

test('an error of the new version is reported for that plugin in any phase, and the next version replaces it', async () => {
  const { order, member } = family();
  const author = written(member('a', 'a'));
  const { host } = await testKernel({ plugins: [author.entry, member('b', 'b', { dependencies: ['a'] })] });
  order.length = 0;
  const faults: (Plugin | Error)[] = [
    new Error('no module'),
    member('other', 'other'),
    member('a', 'bad', {
      start: () => {
        throw new Error('no start');
      },
    }),
    member('a', 'lost', { dependencies: ['nowhere'] }),
  ];
  const found: (string | undefined)[] = [];
  for (const fault of faults) {
    author.write(fault);
    await settled(host);
    found.push(statuses(host).a);
    expect(statuses(host).b).toBe('running');
    expect(host.registeredPages.all.map(({ pluginId }) => pluginId)).toEqual(['b']);
  }
  expect(found).toEqual(['quarantined: error', 'quarantined: malformed', 'quarantined: error', 'quarantined: missing']);
  author.write(member('a', 'mended'));
  await settled(host);
  expect(statuses(host)).toEqual({ a: 'running', b: 'running' });
  expect(order).toEqual(['-a', '+mended']);
});

test('a plugin that failed to load is loaded again on retry; a disabled one stays disabled and uses the new version later', async () => {
  const { order, member } = family();
  const author = written(member('a', 'a'));
  const { host } = await testKernel({ plugins: [author.entry] });
  author.write(new Error('no module'));
  await settled(host);
  expect(await host.enable('a')).toBe(false);
  await host.disable('a');
  author.write(member('a', 'later'));
  await settled(host);
  expect(statuses(host)).toEqual({ a: 'disabled: switched-off' });
  expect(await host.enable('a')).toBe(true);
  expect(order).toEqual(['+a', '-a', '+later']);
});

test('its open page and its panel use the new version, other pages keep their input, and errors name the plugin', async () => {
  const version = (word: string) =>
    named('a', {
      pages: [{ ...pageOf('a'), load: () => Promise.resolve({ default: () => <p>page {word}</p> }) }],
      contributions: [contribute(HomePanels, { title: ['板', 'Panel'], load: () => Promise.resolve({ default: () => <p>panel {word}</p> }) })],
    });
  const author = written(version('one'));
  const other = named('b', { pages: [{ ...pageOf('b'), load: () => Promise.resolve({ default: () => <input aria-label="note" /> }) }] });
  const menu = menuItem('all', { name: '全部', children: [menuItem('a', { name: '甲', path: '/test/a' }), menuItem('b', { name: '乙', path: '/test/b' })] });
  history.replaceState(null, '', '/wel/index');
  const { light } = await testLight({ answers: [answer(menuRoutes, [menu]), answer(menuButtons, [])] });
  const console = openConsole(light, [author.entry, { id: 'b', load: () => Promise.resolve({ default: other }) }]);
  try {
    render(console.screen);
    await screen.findByText('panel one');
    const navigation = within(await screen.findByRole('navigation', { name: '主导航' }));
    const go = async (name: string) => user.click(await navigation.findByRole('link', { name }));
    await user.click(await navigation.findByRole('button', { name: '全部' }));
    await go('乙');
    const note = await screen.findByRole('textbox', { name: 'note' });
    await user.type(note, 'unsaved');
    await go('甲');
    await screen.findByText('page one');
    author.write(version('two'));
    await screen.findByText('page two');
    author.write(new Error('no module'));
    await screen.findByText('插件「a」未运行，其他功能不受影响。');
    author.write(version('three'));
    await screen.findByText('page three');
    expect(note).toHaveProperty('value', 'unsaved');
    expect(note.isConnected).toBe(true);
    await go('首页');
    await screen.findByText('panel three');
  } finally {
    cleanup();
    console.close();
  }
});

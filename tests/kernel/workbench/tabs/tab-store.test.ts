import { beforeEach, describe, expect, test } from '@rstest/core';
import { BehaviorSubject } from 'rxjs';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { TabMemory } from '../../../../src/kernel/workbench/tabs/tab-memory.ts';
import { aliveLimit } from '../../../../src/kernel/workbench/tabs/tab-rules.ts';
import { type TabPreferences, TabStore } from '../../../../src/kernel/workbench/tabs/tab-store.ts';
import type { Tab } from '../../../../src/kernel/workbench/tabs/tabs.ts';

const home = '/wel/index';
const page = (name: string, query = '') => ({ location: `/${name}/index${query}`, title: name });

const build = 'build-1';

interface StoreOptions extends Partial<TabPreferences> {
  readonly mayDiscard?: boolean;
  readonly build?: string;
}

/** Creates a store that records its questions to the user and gets the configured answer. */
function storeOf({ mayDiscard = true, homeTabClosable = false, restoreTabs = true, ...options }: StoreOptions = {}) {
  const questions: string[][] = [];
  const preferences$ = new BehaviorSubject<TabPreferences>({ homeTabClosable, restoreTabs });
  const areas = { window: new JsonStorage(sessionStorage, 'test-'), browser: new JsonStorage(localStorage, 'test-') };
  const store = new TabStore({
    homePath: home,
    memory: new TabMemory({ ...areas, owner: '000000/1', build: options.build ?? build }),
    preferences$,
    mayDiscard: async (pages) => {
      questions.push(pages.map(({ title }) => title));
      return mayDiscard;
    },
  });
  let tabs: readonly Tab[] = [];
  let alive: readonly string[] = [];
  store.tabs$.subscribe((next) => (tabs = next));
  store.alive$.subscribe((next) => (alive = next));
  store.open({ location: home });
  const keys = () => tabs.map(({ key }) => key);
  const tab = (key: string) => tabs.find((open) => open.key === key);
  return { store, questions, keys, tab, preferences$, alive: () => alive };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

describe('opening', () => {
  test('an equal page is not added twice; another query opens another tab', () => {
    const { store, keys } = storeOf();
    for (const opened of [page('a'), page('a'), page('a', '?id=1'), page('a', '?id=2')]) store.open(opened);
    expect(keys()).toEqual([home, '/a/index', '/a/index?id=1', '/a/index?id=2']);
    expect(store.active).toBe('/a/index?id=2');
  });

  test('the latest twenty pages stay alive, and further ones with unsaved changes or a pin', () => {
    const { store, alive } = storeOf();
    store.open(page('draft'));
    store.pane('/draft/index').setDirty(true);
    store.open(page('pinned'));
    store.pin('/pinned/index', true);
    for (let number = 0; number < aliveLimit - 2; number++) store.open(page(`p${number}`));
    expect(alive()).toHaveLength(aliveLimit);
    expect(alive()).not.toContain(home);
    for (let number = 0; number < 2 * aliveLimit; number++) store.open(page(`q${number}`));
    expect(alive()).toHaveLength(aliveLimit);
    expect(alive()).toEqual(expect.arrayContaining(['/draft/index', '/pinned/index']));
    store.pane('/draft/index').setDirty(false);
    store.open(page('last'));
    expect(alive()).not.toContain('/draft/index');
  });

  test('the teardown of a page runs when it is unmounted', () => {
    const { store } = storeOf();
    store.open(page('first'));
    let isEnded = false;
    store.pane('/first/index').lifetime?.add(() => (isEnded = true));
    for (let number = 0; number < aliveLimit; number++) store.open(page(`p${number}`));
    expect(isEnded).toBe(true);
  });
});

describe('closing', () => {
  test('the only tab and home cannot be closed', async () => {
    const { store, keys, tab } = storeOf();
    store.close(home);
    store.open(page('a'));
    store.close(home);
    await settle();
    expect(keys()).toEqual([home, '/a/index']);
    expect(tab(home)?.closable).toBe(false);
  });

  test('home can be closed if the setting allows it, but not as the last tab', async () => {
    const { store, keys, tab } = storeOf({ homeTabClosable: true });
    store.open(page('a'));
    store.close(home);
    await settle();
    expect(keys()).toEqual(['/a/index']);
    expect(tab('/a/index')?.closable).toBe(false);
  });

  test('the tab before the closed one is shown, and closing one in the background changes nothing', async () => {
    const { store } = storeOf();
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.close('/a/index');
    await settle();
    expect(store.active).toBe('/c/index');
    store.close('/c/index');
    await settle();
    expect(store.active).toBe('/b/index');
  });

  test('close others keeps the current tab and home, close all goes home', async () => {
    const { store, keys } = storeOf();
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.open(page('b'));
    store.closeOthers();
    await settle();
    expect(keys()).toEqual([home, '/b/index']);
    expect(await store.closeAll()).toBe(true);
    expect(keys()).toEqual([home]);
    expect(store.active).toBe(home);
  });

  test('closing to one side closes the tabs there, but never home or a pinned tab', async () => {
    const { store, keys } = storeOf();
    for (const name of ['a', 'b', 'c', 'd']) store.open(page(name));
    store.pin('/b/index', true);
    expect(keys()).toEqual([home, '/b/index', '/a/index', '/c/index', '/d/index']);
    store.closeSide('/c/index', 'left');
    await settle();
    expect(keys()).toEqual([home, '/b/index', '/c/index', '/d/index']);
    store.closeSide('/c/index', 'right');
    await settle();
    expect(keys()).toEqual([home, '/b/index', '/c/index']);
    expect(store.active).toBe('/c/index');
    store.closeOthers('/b/index');
    await settle();
    expect(keys()).toEqual([home, '/b/index']);
    expect(store.active).toBe('/b/index');
  });

  test('the setting for closing home applies at once', () => {
    const { store, tab, preferences$ } = storeOf();
    store.open(page('a'));
    expect(tab(home)?.closable).toBe(false);
    preferences$.next({ homeTabClosable: true, restoreTabs: true });
    expect(tab(home)?.closable).toBe(true);
  });

  test('the teardown of a closed page runs once, and its signal is aborted', async () => {
    const { store } = storeOf();
    store.open(page('a'));
    let ended = 0;
    const { lifetime, signal } = store.pane('/a/index');
    lifetime?.add(() => ended++);
    expect(signal?.aborted).toBe(false);
    store.close('/a/index');
    await settle();
    store.clear();
    expect(ended).toBe(1);
    expect(signal?.aborted).toBe(true);
  });
});

describe('unsaved changes', () => {
  test('are asked about by name, and kept if the user cancels', async () => {
    const { store, questions, keys } = storeOf({ mayDiscard: false });
    for (const name of ['a', 'b']) store.open(page(name));
    store.pane('/a/index').setDirty(true);
    store.close('/a/index');
    await settle();
    expect(await store.closeAll()).toBe(false);
    expect(questions).toEqual([['a'], ['a']]);
    expect(keys()).toEqual([home, '/a/index', '/b/index']);
  });

  test('are asked about once, even if the tab is closed again or refreshed meanwhile', async () => {
    const { store, questions, keys } = storeOf();
    store.open(page('a'));
    store.pane('/a/index').setDirty(true);
    store.close('/a/index');
    store.close('/a/index');
    store.refresh('/a/index');
    await settle();
    expect(questions).toEqual([['a']]);
    expect(keys()).toEqual([home]);
  });

  test('clean tabs close without a question', async () => {
    const { store, questions } = storeOf();
    store.open(page('a'));
    store.pane('/a/index').setDirty(true);
    store.pane('/a/index').setDirty(false);
    store.close('/a/index');
    await settle();
    expect(questions).toEqual([]);
  });

  test('are counted: a page is clean when the last source is saved', () => {
    const { store, tab } = storeOf();
    store.open(page('a'));
    const [form, panel] = [{}, {}];
    const { setDirty } = store.pane('/a/index');
    setDirty(true, form);
    setDirty(false, panel);
    expect(tab('/a/index')?.dirty).toBe(true);
    setDirty(true, panel);
    setDirty(false, form);
    expect(tab('/a/index')?.dirty).toBe(true);
    setDirty(false, panel);
    expect(tab('/a/index')?.dirty).toBe(false);
  });
});

describe('order', () => {
  test('a tab is moved, home and pinned ones stay in front, and the new position is announced', () => {
    const { store, keys } = storeOf();
    const moves: [string, number][] = [];
    store.moved$.subscribe(({ key, index }) => moves.push([key, index]));
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.move('/c/index', 1);
    expect(keys()).toEqual([home, '/c/index', '/a/index', '/b/index']);
    store.pin('/b/index', true);
    store.move('/c/index', 0);
    store.move(home, 3);
    store.move('/b/index', 9);
    expect(keys()).toEqual([home, '/b/index', '/c/index', '/a/index']);
    store.pin('/b/index', false);
    store.move('/b/index', 9);
    expect(keys()).toEqual([home, '/c/index', '/a/index', '/b/index']);
    expect(moves).toEqual([
      ['/c/index', 1],
      ['/b/index', 3],
    ]);
  });

  test('a pinned tab cannot be closed and stays when all are closed', async () => {
    const { store, keys, tab } = storeOf();
    for (const name of ['a', 'b']) store.open(page(name));
    store.pin('/a/index', true);
    expect(tab('/a/index')?.closable).toBe(false);
    store.close('/a/index');
    await store.closeAll();
    expect(keys()).toEqual([home, '/a/index']);
    expect(store.active).toBe(home);
    expect(await store.reset()).toBe(true);
    expect(keys()).toEqual([home]);
    expect(storeOf().keys()).toEqual([home]);
  });
});

describe('refreshing', () => {
  test('restarts one page and does not affect others', () => {
    const { store, tab } = storeOf();
    for (const name of ['a', 'b']) store.open(page(name));
    const ended: string[] = [];
    for (const name of ['a', 'b']) store.pane(`/${name}/index`).lifetime?.add(() => ended.push(name));
    store.refresh('/b/index');
    expect(ended).toEqual(['b']);
    expect([tab('/a/index')?.generation, tab('/b/index')?.generation]).toEqual([0, 1]);
  });
});

describe('addresses', () => {
  test('a page changes its parameters without becoming another tab, and only the visible page changes the address of the window', () => {
    const { store, keys, tab } = storeOf();
    const changes: unknown[] = [];
    store.addressChanged$.subscribe((change) => changes.push(change));
    for (const name of ['a', 'b']) store.open(page(name));
    store.pane('/a/index').address?.change((parameters) => parameters.set('page', '2'), 'replace');
    store.pane('/b/index').address?.change((parameters) => parameters.set('name', 'x'), 'push');
    expect(keys()).toEqual([home, '/a/index', '/b/index']);
    expect([tab('/a/index')?.location, store.activeLocation]).toEqual(['/a/index?page=2', '/b/index?name=x']);
    expect(changes).toEqual([{ key: '/b/index', location: '/b/index?name=x', change: 'push' }]);
  });

  test('opening a page without parameters keeps its address; an exact location and the history change it, other parameters open another tab', () => {
    const { store, keys } = storeOf();
    store.open(page('a'));
    const { address } = store.pane('/a/index');
    const searches: string[] = [];
    address?.search$.subscribe((search) => searches.push(search));
    address?.change((parameters) => parameters.set('page', '2'), 'push');
    store.open(page('a'));
    expect(store.activeLocation).toBe('/a/index?page=2');
    store.open({ location: '/a/index', isExact: true });
    expect(store.activeLocation).toBe('/a/index');
    store.open({ key: '/a/index', location: '/a/index?page=3', isExact: true });
    expect([store.activeLocation, searches]).toEqual(['/a/index?page=3', ['', '?page=2', '', '?page=3']]);
    store.open({ location: '/a/index?page=3' });
    expect(keys()).toEqual([home, '/a/index']);
    store.open({ location: '/a/index?page=4' });
    expect(keys()).toEqual([home, '/a/index', '/a/index?page=4']);
    expect(searches).toHaveLength(4);
  });

  test('a reload restores a tab at its last address; a pinned one opens in its first state in another window', () => {
    const { store } = storeOf();
    store.open(page('a'));
    store.pane('/a/index').address?.change((parameters) => parameters.set('page', '2'), 'push');
    store.pin('/a/index', true);
    expect(storeOf().tab('/a/index')?.location).toBe('/a/index?page=2');
    sessionStorage.clear();
    expect(storeOf().tab('/a/index')?.location).toBe('/a/index');
  });

  test('a refreshed page starts at its current address', () => {
    const { store } = storeOf();
    store.open(page('a'));
    store.pane('/a/index').address?.change((parameters) => parameters.set('page', '2'), 'push');
    store.refresh('/a/index');
    expect(store.pane('/a/index').address?.search).toBe('?page=2');
  });
});

describe('persistence', () => {
  test('open pages are restored after a reload, and mounted when shown', () => {
    const before = storeOf();
    before.store.open(page('a', '?id=1'));
    const after = storeOf();
    expect(after.keys()).toEqual([home, '/a/index?id=1']);
    expect(after.alive()).toEqual([home]);
  });

  test('order and pins are stored; a new window starts with the pinned tabs only', () => {
    const { store, keys } = storeOf();
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.pin('/c/index', true);
    store.move('/b/index', 2);
    expect(keys()).toEqual([home, '/c/index', '/b/index', '/a/index']);
    expect(storeOf().keys()).toEqual(keys());
    sessionStorage.clear();
    expect(storeOf().keys()).toEqual([home, '/c/index']);
  });

  test('a pin of another window is not lost when this one pins', () => {
    const [thisWindow, otherWindow] = [storeOf(), storeOf()];
    thisWindow.store.open(page('a'));
    otherWindow.store.open(page('b'));
    thisWindow.store.pin('/a/index', true);
    otherWindow.store.pin('/b/index', true);
    sessionStorage.clear();
    expect(storeOf().keys()).toEqual([home, '/a/index', '/b/index']);
  });

  test('only pins are restored if restoring is disabled, or by another build', () => {
    const { store, preferences$ } = storeOf();
    store.open(page('a'));
    expect(storeOf({ build: 'build-2' }).keys()).toEqual([home]);
    store.open(page('b'));
    preferences$.next({ homeTabClosable: false, restoreTabs: false });
    expect(sessionStorage.length).toBe(0);
    store.open(page('c'));
    expect(storeOf({ restoreTabs: false }).keys()).toEqual([home]);
    preferences$.next({ homeTabClosable: false, restoreTabs: true });
    expect(storeOf().keys()).toEqual([home, '/a/index', '/b/index', '/c/index']);
  });

  test('stored tabs of another version, with unsafe addresses or with invalid content are ignored', () => {
    for (const stored of [
      '{"version":99,"pages":[{"location":"/x/index","title":"x"}]}',
      `{"version":2,"build":"${build}","pages":[{"location":"https://evil.example","title":"x"},{"location":"//evil.example","title":"x"},3,null]}`,
      `{"version":2,"build":"${build}","pages":[{"location":"/x/index","title":"x","ownTitle":["x"]}]}`,
      'no json',
    ]) {
      sessionStorage.setItem('test-tabs:000000/1', stored);
      localStorage.setItem('test-pins:000000/1', stored);
      expect(storeOf().keys()).toEqual([home]);
    }
  });

  test('clearing removes the pages here and in storage', () => {
    const { store, keys } = storeOf();
    store.open(page('a'));
    store.clear();
    expect(keys()).toEqual([home]);
    expect(sessionStorage.length).toBe(0);
  });

  test('pages that the user can no longer access are closed without asking, except home', () => {
    const { store, keys, questions } = storeOf();
    for (const name of ['a', 'b']) store.open(page(name));
    store.retain(({ title }) => title === 'a');
    expect(keys()).toEqual([home, '/a/index']);
    expect(store.active).toBe('/a/index');
    expect(questions).toEqual([]);
    store.retain(() => false);
    expect(keys()).toEqual([home]);
  });
});

describe('titles', () => {
  test('follow the title of the page; an unknown title keeps the last one', () => {
    const { store, tab } = storeOf();
    store.open({ location: '/a/index' });
    store.name(() => 'Lamps');
    store.name(() => '');
    expect(tab('/a/index')?.title).toBe('Lamps');
    store.pane('/a/index').setTitle?.(['一号灯', 'Lamp 1']);
    store.name(({ ownTitle }) => ownTitle?.[1] ?? '');
    expect(tab('/a/index')?.title).toBe('Lamp 1');
  });
});

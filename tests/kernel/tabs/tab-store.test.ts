import { beforeEach, describe, expect, test } from '@rstest/core';
import { JsonStorage } from '../../../src/kernel/storage.ts';
import { TabMemory } from '../../../src/kernel/tabs/tab-memory.ts';
import { aliveLimit } from '../../../src/kernel/tabs/tab-rules.ts';
import { TabStore } from '../../../src/kernel/tabs/tab-store.ts';
import type { Tab } from '../../../src/kernel/tabs/tabs.ts';

const home = '/wel/index';
const page = (name: string, query = '') => ({ location: `/${name}/index${query}`, title: name });

/** A store with what it asked the operator, and the answer they give. */
function storeOf(options: { mayDiscard?: boolean; isHomeClosable?: boolean } = {}) {
  const questions: string[][] = [];
  const store = new TabStore({
    homePath: home,
    memory: new TabMemory(new JsonStorage(sessionStorage, 'test-'), 'tabs:000000/1'),
    isHomeClosable: () => options.isHomeClosable ?? false,
    mayDiscard: async (pages) => {
      questions.push(pages.map(({ title }) => title));
      return options.mayDiscard ?? true;
    },
  });
  let tabs: readonly Tab[] = [];
  let alive: readonly string[] = [];
  store.tabs$.subscribe((next) => (tabs = next));
  store.alive$.subscribe((next) => (alive = next));
  store.open({ location: home, title: '' });
  const keys = () => tabs.map(({ key }) => key);
  const tab = (key: string) => tabs.find((open) => open.key === key);
  return { store, questions, keys, tab, alive: () => alive };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => sessionStorage.clear());

describe('opening', () => {
  test('an equal page is not added twice; another query is another tab', () => {
    const { store, keys } = storeOf();
    for (const opened of [page('a'), page('a'), page('a', '?id=1'), page('a', '?id=2')]) store.open(opened);
    expect(keys()).toEqual([home, '/a/index', '/a/index?id=1', '/a/index?id=2']);
    expect(store.active).toBe('/a/index?id=2');
  });

  test('the latest twelve pages stay alive, and dirty ones beyond that', () => {
    const { store, alive } = storeOf();
    store.open(page('draft'));
    store.pane('/draft/index').setDirty(true);
    for (let number = 0; number < aliveLimit; number++) store.open(page(`p${number}`));
    expect(alive()).toHaveLength(aliveLimit + 1);
    expect(alive()).toContain('/draft/index');
    expect(alive()).not.toContain(home);
  });

  test('a page that is no longer alive has its teardown run', () => {
    const { store } = storeOf();
    store.open(page('first'));
    let isEnded = false;
    store.pane('/first/index').lifetime?.add(() => (isEnded = true));
    for (let number = 0; number < aliveLimit; number++) store.open(page(`p${number}`));
    expect(isEnded).toBe(true);
  });
});

describe('closing', () => {
  test('the sole tab and home cannot be closed', async () => {
    const { store, keys, tab } = storeOf();
    store.close(home);
    store.open(page('a'));
    store.close(home);
    await settled();
    expect(keys()).toEqual([home, '/a/index']);
    expect(tab(home)?.closable).toBe(false);
  });

  test('home can be closed where the setting says so, but not as the last one', async () => {
    const { store, keys, tab } = storeOf({ isHomeClosable: true });
    store.open(page('a'));
    store.close(home);
    await settled();
    expect(keys()).toEqual(['/a/index']);
    expect(tab('/a/index')?.closable).toBe(false);
  });

  test('the tab before the closed one is shown, and another one closed in the background changes nothing', async () => {
    const { store } = storeOf();
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.close('/a/index');
    await settled();
    expect(store.active).toBe('/c/index');
    store.close('/c/index');
    await settled();
    expect(store.active).toBe('/b/index');
  });

  test('close others keeps the current tab and home, close all goes home', async () => {
    const { store, keys } = storeOf();
    for (const name of ['a', 'b', 'c']) store.open(page(name));
    store.open(page('b'));
    store.closeOthers();
    await settled();
    expect(keys()).toEqual([home, '/b/index']);
    expect(await store.closeAll()).toBe(true);
    expect(keys()).toEqual([home]);
    expect(store.active).toBe(home);
  });

  test('a closed page has its teardown run, once', async () => {
    const { store } = storeOf();
    store.open(page('a'));
    let ended = 0;
    store.pane('/a/index').lifetime?.add(() => ended++);
    store.close('/a/index');
    await settled();
    store.clear();
    expect(ended).toBe(1);
  });
});

describe('unsaved changes', () => {
  test('are asked about by name, and kept when the operator would rather', async () => {
    const { store, questions, keys } = storeOf({ mayDiscard: false });
    for (const name of ['a', 'b']) store.open(page(name));
    store.pane('/a/index').setDirty(true);
    store.close('/a/index');
    expect(await store.closeAll()).toBe(false);
    expect(questions).toEqual([['a'], ['a']]);
    expect(keys()).toEqual([home, '/a/index', '/b/index']);
  });

  test('clean tabs close without a question', async () => {
    const { store, questions } = storeOf();
    store.open(page('a'));
    store.pane('/a/index').setDirty(true);
    store.pane('/a/index').setDirty(false);
    store.close('/a/index');
    await settled();
    expect(questions).toEqual([]);
  });

  test('are counted: a page is clean when the last who held some has let go', () => {
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

describe('refreshing', () => {
  test('starts one page anew and leaves its neighbours alone', () => {
    const { store, tab } = storeOf();
    for (const name of ['a', 'b']) store.open(page(name));
    const ended: string[] = [];
    for (const name of ['a', 'b']) store.pane(`/${name}/index`).lifetime?.add(() => ended.push(name));
    store.refresh('/b/index');
    expect(ended).toEqual(['b']);
    expect([tab('/a/index')?.generation, tab('/b/index')?.generation]).toEqual([0, 1]);
  });
});

describe('memory', () => {
  test('open pages are there again after a reload, dead until they are shown', () => {
    const before = storeOf();
    before.store.open(page('a', '?id=1'));
    const after = storeOf();
    expect(after.keys()).toEqual([home, '/a/index?id=1']);
    expect(after.alive()).toEqual([home]);
  });

  test('what another version or somebody else wrote is left alone', () => {
    for (const written of [
      '{"version":99,"pages":[{"location":"/x/index","title":"x"}]}',
      '{"version":1,"pages":[{"location":"https://evil.example"}, 3, null]}',
      'no json',
    ]) {
      sessionStorage.setItem('test-tabs:000000/1', written);
      expect(storeOf().keys()).toEqual([home]);
    }
  });

  test('clearing forgets the pages here and in storage', () => {
    const { store, keys } = storeOf();
    store.open(page('a'));
    store.clear();
    expect(keys()).toEqual([home]);
    expect(sessionStorage.length).toBe(0);
  });

  test('pages this user no longer has are closed without asking, home never', () => {
    const { store, keys, questions } = storeOf();
    for (const name of ['a', 'b']) store.open(page(name));
    store.retain(({ title }) => title === 'a');
    expect(keys()).toEqual([home, '/a/index']);
    expect(store.active).toBe('/a/index');
    expect(questions).toEqual([]);
  });
});

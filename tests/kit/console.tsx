import { expect, test } from '@rstest/core';
import { act, cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Plugin, ServiceClass } from '#kernel';
import type { EventToken } from '#shared/contract';
import type { Menu } from '#shared/menu-entry';
import { menuButtons, menuRoutes } from '#shared/menus';
import { neededIds } from '#shared/plugin-fit';
import type { Language } from '#shared/text';
import { Bus } from '../../src/kernel/bus.ts';
import { Locale } from '../../src/kernel/i18n/locale.ts';
import { MittBus } from '../../src/kernel/mitt-bus.ts';
import { definitionProblem } from '../../src/kernel/plugin-host/plugin-definition.ts';
import type { PluginState } from '../../src/kernel/plugin-host/plugin-state.ts';
import { openConsole } from '../../src/kernel/shell/console.tsx';
import { Tabs } from '../../src/kernel/tabs/tabs.ts';
import { answer, inputOf, type ScriptedAnswer } from '../support/scripted-transport.ts';
import { entryOf, menuItem, onKernelEnd, testKernel, testLight, tokenReply } from '../support/test-kernel.ts';

export { answer, refusal, response } from '../support/scripted-transport.ts';
export { formOf, pageOf, rowOf } from './fixtures.ts';

/** What a plugin is brought up with. */
export interface HarnessOptions {
  /** What the server answers, by `answer(call, reply)` and `refusal(call, code, words)`. */
  readonly answers?: readonly ScriptedAnswer[];
  /** Codes of buttons whoever is signed in holds; pages of the plugin are granted. */
  readonly codes?: readonly string[];
  readonly language?: Language;
  /** Whether the server calls whoever is signed in an administrator; it does unless said. */
  readonly isAdministrator?: boolean;
  /** What the plugin needs; ids it needs that are not given are stood in for by empty plugins. */
  readonly needs?: readonly Plugin[];
}

/** One plugin in a real console before a scripted server. */
export interface PluginHarness {
  /** How the plugin fares. */
  readonly state: PluginState;
  /** Types, clicks and presses as an operator does. */
  readonly user: ReturnType<typeof userEvent.setup>;
  /** What the plugin said in toasts: `success 已保存`. */
  readonly toasts: readonly string[];
  /** A service of the plugin's, or of the kernel's. */
  get<Service>(service: ServiceClass<Service>): Service;
  /** Tells everybody that something has happened. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  /** What a call was sent, in order. */
  inputs(call: { readonly path: string }): Record<string, unknown>[];
  /** Answers these calls so from now on. */
  answer(...answers: readonly ScriptedAnswer[]): void;
  /** Shows the console at a page of the plugin's, or at an address. */
  open(at: Menu | string): Promise<void>;
  disable(): Promise<boolean>;
  enable(): Promise<boolean>;
}

const user = userEvent.setup({ pointerEventsCheck: 0 });

/** The whole console with this plugin in it. Everything ends with the test, which fails on any listener, subscription or timer the plugin leaves. */
export async function createPluginHarness(
  plugin: Plugin,
  { answers = [], codes = [], needs = [], language = 'zh', isAdministrator = true }: HarnessOptions = {},
): Promise<PluginHarness> {
  const pages = [plugin, ...needs].flatMap(({ pages = [], overrides = [] }) => [...pages, ...overrides]);
  const menu = pages.map(({ menu: { code, title, path } }) => menuItem(code, { name: title[0], path, words: title } as never));
  const kernel = await testLight({
    signedIn: tokenReply(1, { is_admin: isAdministrator ? 0 : 1 }),
    answers: [
      answer(menuRoutes, menu),
      answer(
        menuButtons,
        codes.map((code) => menuItem(code)),
      ),
      ...answers,
    ],
  });
  await kernel.light.get(Locale).choose(language);
  history.replaceState(null, '', '/wel/index');
  const console = openConsole(kernel.light, [...withStandIns(plugin, needs)].map(entryOf), { timeLimit: 5000 });
  onKernelEnd(() => {
    cleanup();
    console.close();
  });
  await console.kernel.settled;
  const { host, container } = console.kernel;
  let isDrawn = false;
  return {
    user,
    toasts: kernel.toasts.heard,
    get state() {
      return host.states.find(({ id }) => id === plugin.id) as PluginState;
    },
    get: (service) => host.servicesOf(plugin.id)?.get(service) ?? container.get(service),
    emit: (event, payload) => act(() => container.get(Bus).emit(event, payload)),
    inputs: (call) => kernel.transport.to(call).map(inputOf),
    answer: (...more) => kernel.transport.answer(...more),
    async open(at) {
      if (!isDrawn) render(console.screen);
      isDrawn = true;
      await act(async () => container.get(Tabs).open({ location: typeof at === 'string' ? at : `${at.path}/index` }));
    },
    disable: () => act(() => host.disable(plugin.id)),
    enable: () => act(() => host.enable(plugin.id)),
  };
}

function withStandIns(plugin: Plugin, given: readonly Plugin[]): readonly Plugin[] {
  const known = new Set(given.map(({ id }) => id));
  const missing = [plugin, ...given].flatMap(({ needs }) => neededIds(needs)).filter((id) => !known.has(id));
  return [...[...new Set(missing)].map((id): Plugin => ({ id, title: [id, id] })), ...given, plugin];
}

/** What every plugin's console half must keep, as tests: `pluginContract(lampPlugin)`. */
export function pluginContract(plugin: Plugin, { needs = [] }: Pick<HarnessOptions, 'needs'> = {}): void {
  const title = (words: string) => `${plugin.id}: ${words}`;
  const all = withStandIns(plugin, needs);

  test(title('its table of contents is one'), () => {
    expect(definitionProblem(plugin, plugin.id)).toBeUndefined();
    const codes = (plugin.pages ?? []).map(({ menu }) => menu.code);
    expect(codes).toEqual([...new Set(codes)]);
  });

  test(title('what it loads when it is shown is there'), async () => {
    for (const { load, menu } of [...(plugin.pages ?? []), ...(plugin.overrides ?? [])])
      expect({ page: menu.code, is: typeof (await load()).default }).toEqual({ page: menu.code, is: 'function' });
    for (const { load, menu } of plugin.search ?? [])
      expect({ search: menu.code, is: typeof (await load()).default }).toEqual({ search: menu.code, is: 'function' });
  });

  test(title('it runs, and twenty rounds of switching it off and on leave nothing behind'), async () => {
    const { host, container, get } = await testKernel({ plugins: all.map((each) => ({ ...each, core: false })), timeLimit: 5000 });
    const standing = () => ({
      states: host.states.map(({ id, status, cause, faults }) => ({ id, status, cause: cause?.words[1], faults })),
      containers: container.childCount,
      listeners: get(MittBus).size,
      pages: host.claimed.all.length,
      searches: host.searches.length,
      styles: document.querySelectorAll('style, link[rel=stylesheet]').length,
    });
    const before = standing();
    expect(before.states.map(({ status }) => status)).toEqual(all.map(() => 'running'));
    for (let round = 0; round < 20; round++) {
      expect(await host.disable(plugin.id)).toBe(true);
      expect(host.claimed.all.filter(({ pluginId }) => pluginId === plugin.id)).toEqual([]);
      expect(await host.enable(plugin.id)).toBe(true);
    }
    expect(standing()).toEqual(before);
  });
}

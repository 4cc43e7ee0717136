import { expect, test } from '@rstest/core';
import { act, cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Plugin, ServiceClass } from '#kernel';
import type { EventToken } from '#shared/contract';
import type { Menu } from '#shared/menu-entry';
import { menuButtons, menuRoutes } from '#shared/menus';
import { dependencyIds } from '#shared/plugin-versions';
import type { Language } from '#shared/text';
import { Bus } from '../../src/kernel/base/bus/bus.ts';
import { MittBus } from '../../src/kernel/base/bus/mitt-bus.ts';
import { openConsole } from '../../src/kernel/boot/console.tsx';
import { definitionProblem } from '../../src/kernel/host/plugin/plugin-definition.ts';
import type { PluginState } from '../../src/kernel/host/plugin/plugin-state.ts';
import { Locale } from '../../src/kernel/platform/i18n/locale.ts';
import { Tabs } from '../../src/kernel/workbench/tabs/tabs.ts';
import { answer, inputOf, type ScriptedAnswer } from '../support/scripted-transport.ts';
import { entryOf, menuItem, onKernelEnd, testCoreServices, testKernel, tokenReply } from '../support/test-kernel.ts';

export { answer, refusal, response } from '../support/scripted-transport.ts';
export { formOf, pageOf, rowOf } from './fixtures.ts';

/** Options of a plugin harness. */
export interface HarnessOptions {
  /** Replies of the server, built by `answer(call, reply)` and `refusal(call, code, words)`. */
  readonly answers?: readonly ScriptedAnswer[];
  /** Codes of buttons that the signed-in user has; pages of the plugin are granted. */
  readonly codes?: readonly string[];
  readonly language?: Language;
  /** False to make the signed-in user no administrator. */
  readonly isAdministrator?: boolean;
  /** Dependencies of the plugin; missing ones are replaced by empty plugins. */
  readonly dependencies?: readonly Plugin[];
}

/** A plugin in a real console with a scripted server. */
export interface PluginHarness {
  /** State of the plugin. */
  readonly state: PluginState;
  /** Simulates typing, clicks and key presses of a user. */
  readonly user: ReturnType<typeof userEvent.setup>;
  /** Toasts that the plugin has shown: `success 已保存`. */
  readonly toasts: readonly string[];
  /** Returns a service of the plugin or of the kernel. */
  get<Service>(service: ServiceClass<Service>): Service;
  /** Emits an event on the bus. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  /** Returns the inputs of a call, in order. */
  inputs(call: { readonly path: string }): Record<string, unknown>[];
  /** Changes the replies of these calls from now on. */
  answer(...answers: readonly ScriptedAnswer[]): void;
  /** Opens the console at a page of the plugin, or at an address. */
  open(at: Menu | string): Promise<void>;
  disable(): Promise<boolean>;
  enable(): Promise<boolean>;
}

const user = userEvent.setup({ pointerEventsCheck: 0 });

/** Creates a complete console with this plugin. It ends with the test, which fails on any listener, subscription or timer that the plugin leaves behind. */
export async function createPluginHarness(
  plugin: Plugin,
  { answers = [], codes = [], dependencies = [], language = 'zh', isAdministrator = true }: HarnessOptions = {},
): Promise<PluginHarness> {
  const pages = [plugin, ...dependencies].flatMap(({ pages = [], overrides = [] }) => [...pages, ...overrides]);
  const menu = pages.map(({ menu: { code, title, path } }) => menuItem(code, { name: title[0], path, words: title } as never));
  const kernel = await testCoreServices({
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
  await kernel.core.get(Locale).setLanguage(language);
  history.replaceState(null, '', '/wel/index');
  const console = openConsole(kernel.core, [...withStandIns(plugin, dependencies)].map(entryOf), { phaseTimeoutMs: 5000 });
  onKernelEnd(() => {
    cleanup();
    console.close();
  });
  await console.kernel.settled;
  const { host, container } = console.kernel;
  let isDrawn = false;
  return {
    user,
    toasts: kernel.toasts.shown,
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

function withStandIns(plugin: Plugin, dependencies: readonly Plugin[]): readonly Plugin[] {
  const known = new Set(dependencies.map(({ id }) => id));
  const missing = [plugin, ...dependencies].flatMap((each) => dependencyIds(each.dependencies)).filter((id) => !known.has(id));
  return [...[...new Set(missing)].map((id): Plugin => ({ id, title: [id, id] })), ...dependencies, plugin];
}

/** Registers tests of the rules for the console half of every plugin: `pluginContract(lampPlugin)`. */
export function pluginContract(plugin: Plugin, { dependencies = [] }: Pick<HarnessOptions, 'dependencies'> = {}): void {
  const title = (words: string) => `${plugin.id}: ${words}`;
  const all = withStandIns(plugin, dependencies);

  test(title('its definition is valid and lists each page once'), () => {
    expect(definitionProblem(plugin, plugin.id)).toBeUndefined();
    const codes = (plugin.pages ?? []).map(({ menu }) => menu.code);
    expect(codes).toEqual([...new Set(codes)]);
  });

  test(title('each of its pages loads a component'), async () => {
    for (const { load, menu } of [...(plugin.pages ?? []), ...(plugin.overrides ?? [])])
      expect({ page: menu.code, is: typeof (await load()).default }).toEqual({ page: menu.code, is: 'function' });
  });

  test(title('it runs, and disabling and enabling it twenty times leaves nothing behind'), async () => {
    const { host, container, get } = await testKernel({ plugins: all.map((each) => ({ ...each, core: false })), phaseTimeoutMs: 5000 });
    const snapshot = () => ({
      states: host.states.map(({ id, status, cause, faults }) => ({ id, status, cause: cause?.text[1], faults })),
      containers: container.childCount,
      listeners: get(MittBus).size,
      pages: host.registeredPages.all.length,
      styles: document.querySelectorAll('style, link[rel=stylesheet]').length,
    });
    const before = snapshot();
    expect(before.states.map(({ status }) => status)).toEqual(all.map(() => 'running'));
    for (let round = 0; round < 20; round++) {
      expect(await host.disable(plugin.id)).toBe(true);
      expect(host.registeredPages.all.filter(({ pluginId }) => pluginId === plugin.id)).toEqual([]);
      expect(await host.enable(plugin.id)).toBe(true);
    }
    expect(snapshot()).toEqual(before);
  });
}

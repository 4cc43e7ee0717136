import { expect, test } from '@rstest/core';
import { event } from '#shared/contract';
import { menu } from '#shared/menu-entry';
import { MittBus } from '../../src/kernel/base/bus/mitt-bus.ts';
import { Container } from '../../src/kernel/base/container/container.ts';
import { definePlugin, type LoadablePlugin, page } from '../../src/kernel/host/plugin/plugin.ts';
import { PluginHost } from '../../src/kernel/host/plugin-host/plugin-host.ts';
import { JsonStorage } from '../../src/kernel/platform/browser/storage.ts';
import { ErrorLog } from '../../src/kernel/platform/errors/error-log.ts';
import { median, milliseconds, report, timed, times } from './report.ts';

const Rang = event<{ count: number }>('bench:rang');

class Counter {
  count = 0;
}

/** A plugin with one service, one page and one listener. */
function trivial(index: number): LoadablePlugin {
  const id = `trivial-${index}`;
  const definition = definePlugin({
    id,
    title: [`插件${index}`, `Plugin ${index}`],
    provide: (provide) => provide(Counter, []),
    pages: [page(menu({ code: id, title: [id, id], path: `/bench/${id}` }), () => Promise.resolve({ default: () => null }))],
    start({ get, on }) {
      const counter = get(Counter);
      on(Rang, ({ count }) => {
        counter.count += count;
      });
    },
  });
  return { id, load: () => Promise.resolve({ default: definition }) };
}

function emptyStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

async function boot(count: number): Promise<{ host: PluginHost; bus: MittBus; end: () => void }> {
  const container = new Container();
  const bus = new MittBus();
  const host = new PluginHost({ container, bus, log: new ErrorLog(new JsonStorage(emptyStorage(), 'bench-')) });
  await host.boot(Array.from({ length: count }, (_, index) => trivial(index)));
  expect(host.states.filter(({ status }) => status === 'running')).toHaveLength(count);
  return {
    host,
    bus,
    end: () => {
      host.dispose();
      container.dispose();
      bus.dispose();
    },
  };
}

test('booting two hundred plugins is compared with booting twenty', async () => {
  const boots = 31;
  const taken = { 20: [] as number[], 200: [] as number[] };
  for (let round = -5; round < boots; round += 1) {
    for (const count of round % 2 === 0 ? ([20, 200] as const) : ([200, 20] as const)) {
      const endings: (() => void)[] = [];
      const figure = await timed(async () => endings.push((await boot(count)).end));
      if (round >= 0) taken[count].push(figure);
      for (const end of endings) end();
    }
  }
  const [few, many] = [median(taken[20]), median(taken[200])];
  const section = 'Console kernel';
  report({ section, what: 'boot with 20 trivial plugins', figure: milliseconds(few), at: `each a service, a page and a listener; ${boots} boots` });
  report({
    section,
    what: 'boot with 200 trivial plugins',
    figure: `${milliseconds(many)}, ${times(many / few)} for 10 × the plugins`,
    at: `${boots} boots, in turn with those of 20`,
  });
});

test('fifty rounds of enabling and disabling leave nothing behind', async () => {
  const { host, bus, end } = await boot(20);
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      await host.disable('trivial-7');
      await host.enable('trivial-7');
    }
    globalThis.gc?.();
    // Weak references are released between two tasks, not within one.
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  };
  const listeners = bus.size;
  const pages = host.registeredPages.all.length;
  await rounds(50);
  const before = process.memoryUsage().heapUsed;
  await rounds(500);
  const growth = (process.memoryUsage().heapUsed - before) / 500;
  expect({ listeners: bus.size, pages: host.registeredPages.all.length }).toEqual({ listeners, pages });
  report({
    section: 'Console kernel',
    what: 'listeners and pages left over after 550 disable/enable rounds',
    figure: '0',
    bound: '0',
    isMet: true,
    at: '20 plugins',
  });
  report({
    section: 'Console kernel',
    what: 'heap growth a round',
    figure: globalThis.gc ? `${growth.toFixed(0)} bytes` : 'not measured (run node with --expose-gc)',
    at: '500 rounds after 50',
  });
  end();
});

import { expect, test } from '@rstest/core';
import { event, menu } from '#shared/contract';
import { Container } from '../../src/kernel/container.ts';
import { ErrorLog } from '../../src/kernel/errors/error-log.ts';
import { MittBus } from '../../src/kernel/mitt-bus.ts';
import { definePlugin, type PluginEntry, page } from '../../src/kernel/plugin.ts';
import { PluginHost } from '../../src/kernel/plugin-host/plugin-host.ts';
import { JsonStorage } from '../../src/kernel/storage.ts';
import { inTurn, median, report } from './report.ts';

const Rang = event<{ count: number }>('bench:rang');

class Counter {
  count = 0;
}

/** A plugin with one of each: a service, a page, a listener. */
function trivial(index: number): PluginEntry {
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

test('two hundred plugins boot in proportion to twenty', async () => {
  const times = await inTurn(
    15,
    async () => (await boot(20)).end(),
    async () => (await boot(200)).end(),
  );
  const [twenty, hundreds] = [median(times.first), median(times.second)];
  report({ section: 'Console kernel', what: 'boot with 20 trivial plugins', figure: `${twenty.toFixed(1)} ms`, at: '20 plugins, each a service, a page and a listener; 15 boots' });
  report({ section: 'Console kernel', what: 'boot with 200 trivial plugins', figure: `${hundreds.toFixed(1)} ms (${(hundreds / twenty).toFixed(1)} × for 10 × the plugins)`, at: '200 plugins; 15 boots' });
});

test('fifty rounds of enabling and disabling leave nothing behind', async () => {
  const { host, bus, end } = await boot(20);
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      await host.disable('trivial-7');
      await host.enable('trivial-7');
    }
    globalThis.gc?.();
    // Weak references are let go between two tasks, not within one.
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  };
  const listeners = bus.size;
  const pages = host.claimed.all.length;
  await rounds(50);
  const before = process.memoryUsage().heapUsed;
  await rounds(500);
  const growth = (process.memoryUsage().heapUsed - before) / 500;
  expect({ listeners: bus.size, pages: host.claimed.all.length }).toEqual({ listeners, pages });
  report({ section: 'Console kernel', what: 'listeners and pages left over after 550 disable/enable rounds', figure: '0', bound: '0', at: '20 plugins' });
  report({ section: 'Console kernel', what: 'heap growth a round', figure: globalThis.gc ? `${growth.toFixed(0)} bytes` : 'not measured (run node with --expose-gc)', at: '500 rounds after 50' });
  end();
});

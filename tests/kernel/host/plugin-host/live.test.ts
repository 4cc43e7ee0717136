import { describe, expect, test } from '@rstest/core';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';
import type { LoadablePlugin } from '../../../../src/kernel/host/plugin/plugin.ts';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { Happened, named, pageOf, statuses } from './plugins.ts';

describe('plugin host: faults', () => {
  test('a listener that throws is counted and logged for its plugin, and does not stop others', async () => {
    const heard: number[] = [];
    const { host, get } = await testKernel({
      plugins: [
        named('bad', {
          start: ({ on }) =>
            void on(Happened, () => {
              throw new Error('listener');
            }),
        }),
        named('good', { start: ({ on }) => void on(Happened, ({ count }) => heard.push(count)) }),
      ],
    });
    get(Bus).emit(Happened, { count: 3 });
    expect(heard).toEqual([3]);
    expect(host.states.map(({ faults }) => faults)).toEqual([1, 0]);
    expect(get(ErrorLog).entries[0]).toMatchObject({ type: 'plugin', message: 'listener', info: 'bad · test:happened' });
  });

  test('a listener of a plugin’s store belongs to the plugin too', async () => {
    class Listening {
      constructor(bus: Bus) {
        bus.on(Happened, () => {
          throw new Error('store');
        });
      }
    }
    const { host, get } = await testKernel({
      plugins: [named('bad', { provide: (provide) => provide(Listening, [Bus]), start: (context) => void context.get(Listening) })],
    });
    get(Bus).emit(Happened, { count: 1 });
    expect(host.states[0]?.faults).toBe(1);
    await host.disable('bad');
    get(Bus).emit(Happened, { count: 1 });
    expect(host.states[0]?.faults).toBe(1);
  });

  test('a reported error is counted and logged', async () => {
    const { host, get } = await testKernel({ plugins: [named('a')] });
    host.report('a', new Error('render'));
    expect(host.states[0]).toMatchObject({ status: 'running', faults: 1 });
    expect(get(ErrorLog).entries[0]).toMatchObject({ message: 'render', info: 'a' });
  });

  test('a failing stop is logged, and the plugin is disabled nevertheless', async () => {
    const { host, get } = await testKernel({
      plugins: [
        named('a', {
          start: ({ onStop }) =>
            onStop(() => {
              throw new Error('stuck');
            }),
        }),
      ],
    });
    expect(await host.disable('a')).toBe(true);
    expect(statuses(host)).toEqual({ a: 'disabled: switched-off' });
    expect(get(ErrorLog).entries[0]?.info).toBe('a');
  });
});

describe('plugin host: live', () => {
  const family = () => {
    const order: string[] = [];
    const member = (id: string, dependencies: string[]) =>
      named(id, {
        dependencies: dependencies,
        pages: [pageOf(id)],
        start: ({ onStop }) => {
          order.push(`+${id}`);
          onStop(() => order.push(`-${id}`));
        },
      });
    return { order, plugins: [member('a', []), member('b', ['a']), member('c', ['b']), member('d', [])] };
  };

  test('disabling stops dependents first, enabling starts all of them again', async () => {
    const { order, plugins } = family();
    const { host } = await testKernel({ plugins });
    order.length = 0;
    expect(await host.disable('a')).toBe(true);
    expect(order).toEqual(['-c', '-b', '-a']);
    expect(statuses(host)).toEqual({ a: 'disabled: switched-off', b: 'skipped: dependency', c: 'skipped: dependency', d: 'running' });
    expect(host.registeredPages.all.map(({ pluginId }) => pluginId)).toEqual(['d']);
    expect(await host.enable('c')).toBe(false);
    expect(await host.enable('a')).toBe(true);
    expect(order.slice(3)).toEqual(['+a', '+b', '+c']);
    expect(host.registeredPages.all.map(({ pluginId }) => pluginId)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a dependent that was disabled itself stays disabled', async () => {
    const { host } = await testKernel({ plugins: family().plugins });
    await host.disable('c');
    await host.disable('a');
    await host.enable('a');
    expect(statuses(host)).toMatchObject({ a: 'running', b: 'running' });
  });

  test('the guard of a page is asked with all plugins that would stop, and can refuse', async () => {
    const { host } = await testKernel({ plugins: [named('a'), named('b', { dependencies: ['a'] })] });
    const asked: (readonly string[])[] = [];
    const undo = host.guard(async (ids) => {
      asked.push(ids);
      return false;
    });
    expect(await host.disable('a')).toBe(false);
    expect(statuses(host)).toEqual({ a: 'running', b: 'running' });
    undo();
    expect(await host.disable('a')).toBe(true);
    expect(asked).toEqual([['a', 'b']]);
  });

  test('core plugins and unknown ones are not disabled', async () => {
    const { host } = await testKernel({ plugins: [named('core', { core: true })] });
    expect([await host.disable('core'), await host.disable('ghost'), await host.enable('ghost'), await host.enable('core')]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(statuses(host)).toEqual({ core: 'running' });
  });

  test('a quarantined plugin can be retried, and is loaded again if loading had failed', async () => {
    let tries = 0;
    const flaky: LoadablePlugin = {
      id: 'flaky',
      load: () => (tries++ === 0 ? Promise.reject(new Error('chunk')) : Promise.resolve({ default: named('flaky') })),
    };
    const { host } = await testKernel({ plugins: [flaky, named('b', { dependencies: ['flaky'] })] });
    expect(statuses(host)).toEqual({ flaky: 'quarantined: error', b: 'skipped: dependency' });
    expect(await host.enable('flaky')).toBe(true);
    expect(statuses(host)).toEqual({ flaky: 'running', b: 'running' });
  });

  test('concurrent requests are executed one after the other', async () => {
    const { host } = await testKernel({ plugins: family().plugins });
    await Promise.all([host.disable('a'), host.enable('a'), host.disable('b'), host.enable('b')]);
    expect(Object.values(statuses(host))).toEqual(['running', 'running', 'running', 'running']);
  });

  test('pages are found by menu code, else by address, with or without index', async () => {
    const { host } = await testKernel({ plugins: family().plugins });
    expect(host.registeredPages.find({ code: 'b' })?.pluginId).toBe('b');
    expect(host.registeredPages.find({ code: 'renamed', path: '/test/b/index' })?.pluginId).toBe('b');
    expect(host.registeredPages.find({ code: 'x', path: '/x' })).toBeUndefined();
  });

  test('fifty rounds leave nothing behind', async () => {
    class Rows {
      static alive = 0;
      readonly undo;
      constructor(bus: Bus) {
        Rows.alive++;
        this.undo = bus.stream(Happened).subscribe();
      }
      dispose() {
        Rows.alive--;
      }
    }
    const plugin = named('a', {
      provide: (provide) => provide(Rows, [Bus]),
      pages: [pageOf('a')],
      start: ({ get, on }) => {
        get(Rows);
        on(Happened, () => undefined);
      },
    });
    const { host, get, container } = await testKernel({
      plugins: [plugin, named('b', { dependencies: ['a'], start: ({ on }) => void on(Happened, () => undefined) })],
    });
    const count = () => ({ listeners: get(MittBus).size, containers: container.childCount, stores: Rows.alive, pages: host.registeredPages.all.length });
    const before = count();
    for (let round = 0; round < 50; round++) {
      await host.disable('a');
      expect(count()).toEqual({ ...before, listeners: before.listeners - 3, containers: 0, stores: 0, pages: 0 });
      await host.enable('a');
    }
    expect(count()).toEqual(before);
  });
});

import { describe, expect, rs, test } from '@rstest/core';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';
import { Container } from '../../../../src/kernel/base/container/container.ts';
import type { Provide } from '../../../../src/kernel/base/container/services.ts';
import { type LoadablePlugin, type Plugin, type PluginContext, PluginOptions } from '../../../../src/kernel/host/plugin/plugin.ts';
import { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { Http } from '../../../../src/kernel/platform/http/http.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { Happened, named, pageOf, statuses } from './plugins.ts';

const never = () => new Promise<never>(() => undefined);
const entry = (id: string, given: unknown): LoadablePlugin => ({ id, load: () => Promise.resolve({ default: given as Plugin }) });

describe('plugin host: boot', () => {
  test('wires and starts dependencies first, and measures every phase', async () => {
    const order: string[] = [];
    const logging = (id: string, dependencies: string[]) =>
      named(id, { dependencies: dependencies, provide: () => void order.push(`wire ${id}`), start: () => void order.push(`start ${id}`) });
    const { host } = await testKernel({ plugins: [logging('c', ['b']), logging('b', ['a']), logging('a', [])] });
    expect(order).toEqual(['wire a', 'wire b', 'wire c', 'start a', 'start b', 'start c']);
    expect(statuses(host)).toEqual({ a: 'running', b: 'running', c: 'running' });
    for (const { timings } of host.states) expect(Object.keys(timings).sort()).toEqual(['read', 'start', 'wire']);
  });

  test('a plugin reads the options of its deployment, in its plugin file and in its services', async () => {
    const read: unknown[] = [];
    class Reader {
      constructor(readonly options: PluginOptions) {}
    }
    const start = ({ options, get }: PluginContext) => void read.push(options, get(Reader).options.values);
    const reading = named('a', { provide: (provide) => provide(Reader, [PluginOptions]), start });
    const options = { days: 7 };
    await testKernel({ plugins: [{ id: 'a', load: () => Promise.resolve({ default: { ...reading, options } }) }] });
    expect(read).toEqual([options, options]);
  });

  test('a plugin gets its own services, with fallback to those of the kernel', async () => {
    class Counter {
      constructor(
        readonly http: Http,
        readonly bus: Bus,
      ) {}
    }
    let counter: Counter | undefined;
    const { get } = await testKernel({
      plugins: [
        named('a', {
          provide: (provide) => provide(Counter, [Http, Bus]),
          start: (context) => {
            counter = context.get(Counter);
          },
        }),
      ],
    });
    expect(counter?.http).toBe(get(Http));
    expect(() => get(Counter)).toThrow();
  });

  const broken: [name: string, plugin: Plugin | LoadablePlugin, status: string][] = [
    ['that throws while it is read', { id: 'bad', load: () => Promise.reject(new Error('chunk')) }, 'quarantined: error'],
    ['that hangs while it is read', { id: 'bad', load: never }, 'quarantined: timeout'],
    [
      'that throws while it is wired',
      named('bad', {
        provide: () => {
          throw new Error('no');
        },
      }),
      'quarantined: error',
    ],
    ['that hangs while it is wired', named('bad', { provide: never as unknown as (provide: Provide) => void }), 'quarantined: timeout'],
    [
      'that throws while it starts',
      named('bad', {
        start: () => {
          throw new Error('no');
        },
      }),
      'quarantined: error',
    ],
    ['that rejects while it starts', named('bad', { start: () => Promise.reject(new Error('no')) }), 'quarantined: error'],
    ['that hangs while it starts', named('bad', { start: never }), 'quarantined: timeout'],
    ['that is nothing', entry('bad', undefined), 'quarantined: malformed'],
    ['that is text', entry('bad', 'plugin'), 'quarantined: malformed'],
    ['with another id', entry('bad', named('other')), 'quarantined: malformed'],
    ['without a title', entry('bad', { id: 'bad' }), 'quarantined: malformed'],
    ['with a title in one language', entry('bad', { id: 'bad', title: ['坏'] }), 'quarantined: malformed'],
    ['with needs that are no list', entry('bad', { id: 'bad', title: ['坏', 'Bad'], dependencies: 'a' }), 'quarantined: malformed'],
    ['with pages that are none', entry('bad', { id: 'bad', title: ['坏', 'Bad'], pages: [{}] }), 'quarantined: malformed'],
    ['with a start that is no function', entry('bad', { id: 'bad', title: ['坏', 'Bad'], start: true }), 'quarantined: malformed'],
    ['that needs a plugin the deployment lacks', named('bad', { dependencies: ['absent'] }), 'quarantined: missing'],
    ['that needs itself', named('bad', { dependencies: ['bad'] }), 'quarantined: cycle'],
  ];
  for (const [name, plugin, status] of broken) {
    test(`a plugin ${name} is quarantined with its cause, its dependents are skipped, the rest runs`, async () => {
      const { host, get } = await testKernel({
        plugins: [plugin, named('dependent', { dependencies: ['bad'] }), named('further', { dependencies: ['dependent'] }), named('good')],
      });
      expect(statuses(host)).toEqual({ bad: status, dependent: 'skipped: dependency', further: 'skipped: dependency', good: 'running' });
      expect(host.states.find(({ id }) => id === 'dependent')?.cause?.text).toEqual([
        '所需插件「bad」未运行',
        'It requires the plugin “bad”, which is not running.',
      ]);
      expect(get(ErrorLog).entries.map(({ type, info }) => [type, info])).toContainEqual(['plugin', 'bad']);
    });
  }

  test('a plugin that loads slowly blocks no other, and starts with its dependents once it is loaded', async () => {
    let arrive = (_: { default: Plugin }) => {};
    const slow: LoadablePlugin = {
      id: 'slow',
      load: () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    };
    const { host } = await testKernel({
      plugins: [slow, named('good'), named('dependent', { dependencies: ['slow'] })],
      startTimeoutMs: 5,
      phaseTimeoutMs: 5000,
    });
    expect(statuses(host)).toEqual({ slow: 'waiting', good: 'running', dependent: 'skipped: dependency' });
    arrive({ default: named('slow') });
    await rs.waitFor(() => expect(statuses(host)).toEqual({ slow: 'running', good: 'running', dependent: 'running' }));
  });

  test('of two plugins with one id the second is quarantined', async () => {
    const { host } = await testKernel({ plugins: [named('a'), named('a'), named('b', { dependencies: ['a'] })] });
    expect(statuses(host)).toEqual({ a: 'running', 'a#2': 'quarantined: duplicate', b: 'running' });
  });

  test('plugins in a dependency cycle are named in the cause, and their dependents are skipped', async () => {
    const { host } = await testKernel({
      plugins: [named('a', { dependencies: ['b'] }), named('b', { dependencies: ['c'] }), named('c', { dependencies: ['b'] }), named('d')],
    });
    expect(statuses(host)).toEqual({ a: 'skipped: dependency', b: 'quarantined: cycle', c: 'quarantined: cycle', d: 'running' });
    expect(host.states[1]?.cause?.text[1]).toBe('Plugins depend on each other: b → c → b.');
  });

  test('an unknown id in the manifest is logged and stops nothing', async () => {
    const { host, get } = await testKernel({ plugins: [named('a')], manifest: { plugins: ['a', 'ghost'] } });
    expect(statuses(host)).toEqual({ a: 'running' });
    expect(get(ErrorLog).entries[0]?.message).toContain('"ghost"');
  });

  test('a plugin that is incompatible with the kernel or a dependency is refused, and its dependents are skipped', async () => {
    const { host } = await testKernel({
      plugins: [
        named('a', { version: '1.0.3' }),
        named('b', { dependencies: { a: '^1.2' } }),
        named('c', { dependencies: ['b'] }),
        named('d', { engine: '>=99' }),
        named('e', { dependencies: { a: '^1' } }),
      ],
      phaseTimeoutMs: 5000,
    });
    expect(statuses(host)).toEqual({ a: 'running', b: 'quarantined: version', c: 'skipped: dependency', d: 'quarantined: version', e: 'running' });
    expect(host.states.find(({ id }) => id === 'b')?.cause?.text[1]).toContain('requires “a” ^1.2, but 1.0.3 is installed');
    expect(await host.enable('b')).toBe(false);
  });

  test('safe mode only starts core plugins', async () => {
    const { host } = await testKernel({
      plugins: [named('core', { core: true }), named('extra'), named('bound', { core: true, dependencies: ['extra'] })],
      safe: true,
    });
    expect(statuses(host)).toEqual({ core: 'running', extra: 'skipped: safe-mode', bound: 'skipped: dependency' });
    expect(await host.enable('extra')).toBe(true);
    expect(statuses(host)).toMatchObject({ extra: 'running', bound: 'running' });
  });

  test('registrations of a plugin are undone when it fails', async () => {
    const before = (await testKernel()).get(MittBus).size;
    const ended: string[] = [];
    class Ending {
      dispose() {
        ended.push('store');
      }
    }
    const { host, get, container } = await testKernel({
      plugins: [
        named('bad', {
          provide: (provide) => provide(Ending, []),
          pages: [pageOf('bad')],
          start: (context) => {
            context.get(Ending);
            context.on(Happened, () => ended.push('heard'));
            context.onStop(() => ended.push('teardown'));
            throw new Error('late');
          },
        }),
      ],
    });
    get(Bus).emit(Happened, { count: 1 });
    expect(ended).toEqual(['teardown', 'store']);
    expect([get(MittBus).size, container.childCount, host.registeredPages.all.length]).toEqual([before, 0, 0]);
  });

  test('a plugin that resumes after its time limit registers nothing and changes no state', async () => {
    let wake: () => void = () => undefined;
    let kept: PluginContext | undefined;
    const late: string[] = [];
    const { host, get } = await testKernel({
      plugins: [
        named('slow', {
          start: async (context) => {
            kept = context;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            context.on(Happened, () => late.push('heard'));
            context.onStop(() => late.push('taken back at once'));
          },
        }),
      ],
    });
    wake();
    await new Promise((resolve) => setTimeout(resolve, 5));
    get(Bus).emit(Happened, { count: 1 });
    expect(late).toEqual(['taken back at once']);
    expect(statuses(host)).toEqual({ slow: 'quarantined: timeout' });
    expect(() => kept?.get(Http)).toThrow('disposed');
  });

  test('a plugin that hangs blocks neither the others nor the pages that they claim', async () => {
    const kernel = testKernel({ plugins: [named('slow', { start: never }), named('quick', { pages: [pageOf('quick')] })], phaseTimeoutMs: 60 });
    const { host } = await kernel;
    const [slow, quick] = host.states;
    expect(slow?.timings.start).toBeGreaterThanOrEqual(55);
    expect(quick?.timings.start).toBeLessThan(55);
  });

  test('a plugin that takes a minute to load is waited for', async () => {
    rs.useFakeTimers();
    try {
      const host = new PluginHost({ container: new Container(), bus: new MittBus(), log: new ErrorLog(new JsonStorage(localStorage, 'slow-')) });
      const arrives = new Promise<{ default: Plugin }>((resolve) => setTimeout(() => resolve({ default: named('far') }), 60_000));
      const booted = host.boot([{ id: 'far', load: () => arrives }]);
      await rs.advanceTimersByTimeAsync(60_000);
      await booted;
      expect(statuses(host)).toEqual({ far: 'running' });
    } finally {
      rs.useRealTimers();
    }
  });
});

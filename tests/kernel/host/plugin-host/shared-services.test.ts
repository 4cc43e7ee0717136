import { expect, test } from '@rstest/core';
import { testKernel } from '../../../support/test-kernel.ts';
import { named, statuses } from './plugins.ts';

/** A port, as it is declared in the `extension.ts` of its owner. */
abstract class Dimmer {
  abstract dimTo(level: number): string;
}

class LampDimmer extends Dimmer {
  dimTo = (level: number) => `lamp at ${level}`;
}

class Scene {
  constructor(readonly dimmer: Dimmer) {}
}

const lamp = named('lamp', {
  provide(provide, share) {
    provide(LampDimmer, []);
    share(Dimmer, LampDimmer);
  },
});

test('a plugin constructs its own services with a shared service of its dependency', async () => {
  let scene: Scene | undefined;
  const stage = named('stage', {
    dependencies: ['lamp'],
    provide: (provide) => provide(Scene, [Dimmer]),
    start: ({ get }) => {
      scene = get(Scene);
    },
  });
  const { host } = await testKernel({ plugins: [stage, lamp] });
  expect(scene?.dimmer.dimTo(3)).toBe('lamp at 3');
  expect(await host.disable('lamp')).toBe(true);
  expect(statuses(host)).toEqual({ stage: 'skipped: dependency', lamp: 'disabled: switched-off' });
  expect(await host.enable('lamp')).toBe(true);
  expect(statuses(host)).toEqual({ stage: 'running', lamp: 'running' });
});

test('a plugin with an optional dependency uses its shared service while it runs, and works without it', async () => {
  let find = () => undefined as Dimmer | undefined;
  const stage = named('stage', {
    optionalDependencies: ['lamp', 'absent'],
    start: (context) => {
      expect(context.find(Dimmer)?.dimTo(1)).toBe('lamp at 1');
      find = () => context.find(Dimmer);
    },
  });
  const { host } = await testKernel({ plugins: [stage, lamp] });
  expect(statuses(host)).toEqual({ stage: 'running', lamp: 'running' });
  await host.disable('lamp');
  expect(find()).toBeUndefined();
  expect(statuses(host).stage).toBe('running');
  await host.enable('lamp');
  expect(find()?.dimTo(2)).toBe('lamp at 2');
});

test('a service is shared by the first plugin, and the second one gets an error', async () => {
  const { host, get } = await testKernel({ plugins: [lamp, { ...lamp, id: 'candle' }] });
  expect(statuses(host)).toEqual({ lamp: 'running', candle: 'quarantined: error' });
  expect(get(Dimmer).dimTo(1)).toBe('lamp at 1');
});

test('optional dependencies that contradict others form no cycle', async () => {
  const order: string[] = [];
  const begun = (id: string, parts: object) => named(id, { ...parts, start: () => void order.push(id) });
  const { host } = await testKernel({
    plugins: [
      begun('a', { optionalDependencies: ['b'] }),
      begun('b', { dependencies: ['a'] }),
      begun('c', { optionalDependencies: ['d'] }),
      begun('d', { optionalDependencies: ['c'] }),
    ],
  });
  expect(Object.values(statuses(host))).toEqual(['running', 'running', 'running', 'running']);
  expect(order).toEqual(['a', 'd', 'b', 'c']);
});

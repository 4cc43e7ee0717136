import { createRequire } from 'node:module';
import { test } from '@rstest/core';
import type mitt from 'mitt';
import { event } from '#shared/contract';
import { MittBus } from '../../src/kernel/base/bus/mitt-bus.ts';
import { inTurn, median, report, times } from './report.ts';

// Loads a second copy of mitt. If it were the copy of the bus, the engine would compile it for the listeners of both, which slows the bare one down.
const bareMitt = createRequire(import.meta.url)('mitt') as typeof mitt;

test('an emit through the bus costs little more than through bare mitt', async () => {
  const listeners = 10;
  const emits = 200_000;
  const Ticked = event<{ count: number }>('bench:ticked');
  let heard = 0;
  const bus = new MittBus();
  const bare = bareMitt<{ ticked: { count: number } }>();
  for (let index = 0; index < listeners; index += 1) {
    bus.on(Ticked, ({ count }) => {
      heard += count;
    });
    bare.on('ticked', ({ count }) => {
      heard += count;
    });
  }
  const payload = { count: 1 };
  const [ours, mitts] = await inTurn(
    31,
    () => {
      for (let index = 0; index < emits; index += 1) bus.emit(Ticked, payload);
    },
    () => {
      for (let index = 0; index < emits; index += 1) bare.emit('ticked', payload);
    },
  );
  if (heard === 0) throw new Error('nobody listened');
  report({
    section: 'Console kernel',
    what: 'bus emit against bare mitt, each listener guarded',
    figure: times(median(ours) / median(mitts)),
    at: `${listeners} listeners, ${emits.toLocaleString('en')} emits a run, 31 runs in turn`,
  });
});

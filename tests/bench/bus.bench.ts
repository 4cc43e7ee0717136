import { test } from '@rstest/core';
import mitt from 'mitt';
import { event } from '#shared/contract';
import { MittBus } from '../../src/kernel/mitt-bus.ts';
import { inTurn, median, report } from './report.ts';

test('an emit through the bus costs little more than through mitt alone', async () => {
  const listeners = 10;
  const emits = 200_000;
  const Ticked = event<{ count: number }>('bench:ticked');
  let heard = 0;
  const bus = new MittBus();
  const bare = mitt<{ ticked: { count: number } }>();
  for (let index = 0; index < listeners; index += 1) {
    bus.on(Ticked, ({ count }) => {
      heard += count;
    });
    bare.on('ticked', ({ count }) => {
      heard += count;
    });
  }
  const payload = { count: 1 };
  const run = (emit: () => void) => () => {
    for (let index = 0; index < emits; index += 1) emit();
  };
  const times = await inTurn(15, run(() => bus.emit(Ticked, payload)), run(() => bare.emit('ticked', payload)));
  if (heard === 0) throw new Error('nobody listened');
  const ratio = median(times.first) / median(times.second);
  report({ section: 'Console kernel', what: 'bus emit against bare mitt', figure: `${ratio.toFixed(2)} ×`, at: `${listeners} listeners, ${emits.toLocaleString('en')} emits a run, 15 runs in turn` });
});

import { describe, expect, test } from '@rstest/core';
import { event } from '#shared/contract';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';

const Saved = event<{ id: number }>('test:saved');

describe('bus', () => {
  test('a listener that throws does not silence the next, and is attributed to its plugin', () => {
    const bus = new MittBus();
    const faults: unknown[] = [];
    const heard: number[] = [];
    bus.listenerErrors$.subscribe((fault) => faults.push(fault));
    const error = new Error('no');
    bus.on(
      Saved,
      () => {
        throw error;
      },
      'notice',
    );
    bus.on(Saved, ({ id }) => heard.push(id));
    bus.emit(Saved, { id: 7 });
    expect(heard).toEqual([7]);
    expect(faults).toEqual([{ error, event: 'test:saved', pluginId: 'notice' }]);
  });

  test('disposing a listener twice has no further effect', () => {
    const bus = new MittBus();
    const heard: string[] = [];
    const undo = bus.on(Saved, () => heard.push('first'));
    bus.on(Saved, () => heard.push('second'));
    undo();
    undo();
    bus.emit(Saved, { id: 1 });
    expect(heard).toEqual(['second']);
    expect(bus.size).toBe(1);
  });

  test('the same function can listen twice, and each registration is disposed separately', () => {
    const bus = new MittBus();
    let count = 0;
    const listener = () => {
      count++;
    };
    const undo = bus.on(Saved, listener);
    bus.on(Saved, listener);
    undo();
    bus.emit(Saved, { id: 1 });
    expect(count).toBe(1);
  });

  test('a stream carries the same events and stops listening with its subscription', () => {
    const bus = new MittBus();
    const heard: number[] = [];
    const subscription = bus.stream(Saved).subscribe(({ id }) => heard.push(id));
    bus.emit(Saved, { id: 1 });
    subscription.unsubscribe();
    bus.emit(Saved, { id: 2 });
    expect(heard).toEqual([1]);
    expect(bus.size).toBe(0);
  });
});

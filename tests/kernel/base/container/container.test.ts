import { describe, expect, test } from '@rstest/core';
import { Container } from '../../../../src/kernel/base/container/container.ts';

abstract class Clock {
  abstract now(): number;
}
class Store {
  ended = 0;
  constructor(readonly clock: Clock) {}
  dispose() {
    this.ended++;
  }
}
class Page {
  ended = 0;
  constructor(
    readonly store: Store,
    readonly clock: Clock,
  ) {}
  [Symbol.dispose]() {
    this.ended++;
  }
}
const noon: Clock = { now: () => 12 };

describe('container', () => {
  test('constructs a service once, with its dependencies from its own and from parent containers', () => {
    const parent = new Container();
    parent.bind(Clock, noon);
    const child = parent.createChild();
    child.provide(Store, [Clock]);
    child.provide(Page, [Store, Clock]);
    expect(child.get(Page).store).toBe(child.get(Store));
    expect(child.get(Page).clock).toBe(noon);
    expect(() => parent.get(Store)).toThrow();
  });

  test('disposes what it constructed, but not what was provided to it', () => {
    const container = new Container();
    const lent = new Store(noon);
    container.bind(Store, lent);
    container.bind(Clock, noon);
    container.provide(Page, [Store, Clock]);
    const page = container.get(Page);
    container.dispose();
    container.dispose();
    expect([page.ended, lent.ended]).toEqual([1, 0]);
    expect(() => container.get(Page)).toThrow('disposed');
  });

  test('a service that was never requested is never constructed, not even to dispose it', () => {
    let constructed = 0;
    class Costly {
      constructor() {
        constructed++;
      }
    }
    const container = new Container();
    container.provide(Costly, []);
    container.dispose();
    expect(constructed).toBe(0);
  });

  test('children end before their parent, which then drops them', () => {
    const order: string[] = [];
    class Below {
      dispose() {
        order.push('child');
      }
    }
    class Above {
      dispose() {
        order.push('parent');
      }
    }
    const parent = new Container();
    parent.provide(Above, []);
    parent.get(Above);
    const child = parent.createChild();
    child.provide(Below, []);
    child.get(Below);
    parent.createChild().dispose();
    expect(parent.childCount).toBe(1);
    parent.dispose();
    expect(order).toEqual(['child', 'parent']);
    expect(parent.childCount).toBe(0);
  });

  test('a service that fails to stop does not prevent others from stopping', () => {
    class Broken {
      dispose() {
        throw new Error('stuck');
      }
    }
    const container = new Container();
    container.bind(Clock, noon);
    container.provide(Store, [Clock]);
    container.provide(Broken, []);
    const store = container.get(Store);
    container.get(Broken);
    expect(() => container.dispose()).toThrow(AggregateError);
    expect(store.ended).toBe(1);
  });
});

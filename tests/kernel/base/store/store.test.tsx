import { describe, expect, test } from '@rstest/core';
import { act, cleanup, render } from '@testing-library/react';
import { memo } from 'react';
import { useStore, useStorePath } from '../../../../src/kernel/base/react/use-store.ts';
import { Store } from '../../../../src/kernel/base/store/store.ts';

interface State {
  readonly rows: readonly { readonly id: number; readonly name: string }[];
  readonly query: { readonly current: number };
  readonly chosen?: number;
}

class RowStore extends Store<State> {
  constructor(count: number) {
    super({ rows: Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` })), query: { current: 1 } });
  }
  rename = (index: number, name: string) =>
    this.update((draft) => {
      const row = draft.rows[index];
      if (row) row.name = name;
    });
  turn = (current: number) =>
    this.update((draft) => {
      draft.query.current = current;
    });
  cut = (count: number) =>
    this.update((draft) => {
      draft.rows.length = count;
    });
  add = (id: number) =>
    this.update((draft) => {
      draft.rows.push({ id, name: 'new' });
    });
  choose = (id: number | undefined) =>
    this.update((draft) => {
      if (id === undefined) delete draft.chosen;
      else draft.chosen = id;
    });
  replace = (state: State) => this.update(() => state);
}

const Row = memo(({ store, index, renders }: { store: RowStore; index: number; renders: Map<number, number> }) => {
  renders.set(index, (renders.get(index) ?? 0) + 1);
  return <p>{useStorePath(store, ['rows', index, 'name'])}</p>;
});

function Names({ store, counter }: { store: RowStore; counter: { renders: number } }) {
  counter.renders++;
  return <p>{useStore(store, (state) => state.rows.map(({ name }) => name)).join()}</p>;
}

describe('store', () => {
  test('an update of one of a thousand subscribers runs that one only', () => {
    const store = new RowStore(1000);
    const woken: number[] = [];
    let looked = 0;
    const subscriptions = store.state.rows.map((row) => store.at(['rows', row.id, 'name']).subscribe(() => woken.push(row.id)));
    woken.length = 0;
    const original = store.selectionAt.bind(store);
    store.selectionAt = (path) => {
      looked++;
      return original(path);
    };
    store.rename(500, 'changed');
    expect(woken).toEqual([500]);
    expect(looked).toBe(0);
    for (const subscription of subscriptions) subscription.unsubscribe();
  });

  test('a selector is run again only when a key it read has changed', () => {
    const store = new RowStore(3);
    let runs = 0;
    const pages: number[] = [];
    store
      .select((state) => {
        runs++;
        return state.query.current;
      })
      .subscribe((page) => pages.push(page));
    const before = runs;
    store.rename(1, 'changed');
    expect(runs).toBe(before);
    store.turn(2);
    expect(pages).toEqual([1, 2]);
  });

  test('a selection emits distinct values, and follows the keys that its selector reads', () => {
    const store = new RowStore(2);
    const seen: unknown[] = [];
    store.select((state) => (state.query.current === 1 ? state.rows.length : state.rows[0]?.name)).subscribe((value) => seen.push(value));
    store.rename(0, 'first');
    store.turn(2);
    store.rename(0, 'second');
    expect(seen).toEqual([2, 'first', 'second']);
  });

  test('a list that grows, shrinks or is replaced notifies its subscribers and those of its entries', () => {
    const store = new RowStore(3);
    const lengths: number[] = [];
    const last: unknown[] = [];
    store.select((state) => state.rows.length).subscribe((length) => lengths.push(length));
    store.at(['rows', 2, 'id']).subscribe((id) => last.push(id));
    store.add(3);
    store.cut(1);
    store.replace({
      rows: [
        { id: 7, name: 'a' },
        { id: 8, name: 'b' },
        { id: 9, name: 'c' },
      ],
      query: { current: 1 },
    });
    expect(lengths).toEqual([3, 4, 1, 3]);
    expect(last).toEqual([2, undefined, 9]);
  });

  test('added and removed keys are followed, and the whole state can be selected', () => {
    const store = new RowStore(1);
    const has: boolean[] = [];
    const whole: State[] = [];
    store.select((state) => 'chosen' in state).subscribe((value) => has.push(value));
    store.select((state) => ({ ...state })).subscribe((value) => whole.push(value));
    store.select((state) => state).subscribe((value) => expect(value).toBe(store.state));
    store.choose(1);
    store.choose(undefined);
    expect(has).toEqual([false, true, false]);
    expect(whole.map((state) => state.chosen)).toEqual([undefined, 1, undefined]);
  });

  test('a recipe that changes nothing notifies no subscriber', () => {
    const store = new RowStore(1);
    let woken = -1;
    store.state$.subscribe(() => woken++);
    store.turn(1);
    expect(woken).toBe(0);
  });

  test('one component of a hundred renders again when its row changes, and none once unmounted', () => {
    const store = new RowStore(100);
    const renders = new Map<number, number>();
    const { container } = render(store.state.rows.map(({ id }) => <Row key={id} store={store} index={id} renders={renders} />));
    renders.clear();
    act(() => store.rename(42, 'changed'));
    expect([...renders]).toEqual([[42, 1]]);
    expect(container.textContent).toContain('changed');
    cleanup();
    act(() => store.rename(42, 'again'));
    expect([...renders]).toEqual([[42, 1]]);
  });

  test('an inline selector that returns a new object each time renders without a loop', () => {
    const store = new RowStore(2);
    const counter = { renders: 0 };
    const { container } = render(<Names store={store} counter={counter} />);
    act(() => store.turn(5));
    expect(counter.renders).toBe(1);
    act(() => store.rename(0, 'zero'));
    expect(container.textContent).toBe('zero,row 1');
    expect(counter.renders).toBe(2);
    cleanup();
  });
});

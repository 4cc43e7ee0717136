import { useInsertionEffect } from 'react';

/** Runs `cleanup` when the component unmounts or `value` changes, but not when its tab is hidden. `cleanup` runs in a microtask after that, so it may update state. */
export function useUnmount<Value>(value: Value, cleanup: (value: Value) => void): void {
  // Only insertion effects survive a hidden `Activity`, and they may not update components.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `cleanup` is a new function at each render, which must not count as an unmount.
  useInsertionEffect(() => () => queueMicrotask(() => cleanup(value)), [value]);
}

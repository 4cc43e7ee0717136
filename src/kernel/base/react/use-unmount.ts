import { useInsertionEffect } from 'react';

/** Runs `end` when the component unmounts or `value` changes, but not when its tab is hidden. `end` must not change visible state synchronously. */
export function useUnmount<Value>(value: Value, end: (value: Value) => void): void {
  // Only insertion effects survive a hidden `Activity`. They may not update components, so `end` runs in a microtask.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `end` is a new function at each render, which must not count as an unmount.
  useInsertionEffect(() => () => queueMicrotask(() => end(value)), [value]);
}

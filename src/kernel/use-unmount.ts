import { useInsertionEffect } from 'react';

/** Runs `end` when the component is gone for good, or `of` is another; hiding its tab is neither. Nothing on screen may be changed in the same breath. */
export function useUnmount<Of>(of: Of, end: (of: Of) => void): void {
  // Of all effects this kind alone outlasts a hidden `Activity`. It may not wake a component, so what it does waits for a moment.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `end` is written anew at each render and must not count as an end.
  useInsertionEffect(() => () => queueMicrotask(() => end(of)), [of]);
}

import type { Services } from './services.ts';

const keys = new WeakMap<Services, number>();
let lastKey = 0;

/** Returns a number that changes with each run of a plugin, identified by its services: a component with this key does not outlive the run. */
export function instanceKey(services: Services): number {
  const key = keys.get(services) ?? ++lastKey;
  keys.set(services, key);
  return key;
}

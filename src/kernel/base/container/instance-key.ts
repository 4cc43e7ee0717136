import type { Services } from './services.ts';

const lives = new WeakMap<Services, number>();
let last = 0;

/** Returns a number that changes with each run of a plugin, identified by its services: a component with this key does not outlive the run. */
export function instanceKey(services: Services): number {
  const life = lives.get(services) ?? ++last;
  lives.set(services, life);
  return life;
}

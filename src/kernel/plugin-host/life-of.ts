import type { Services } from '../services.tsx';

const lives = new WeakMap<Services, number>();
let last = 0;

/** Another number with each run of a plugin, told by the services it is lent: a component that is keyed by it does not outlive them. */
export function lifeOf(services: Services): number {
  const life = lives.get(services) ?? ++last;
  lives.set(services, life);
  return life;
}

import type { ServerContext } from '#server';
import { Explanations, type PluginRoute, route } from '#server';
import { explaining } from '../contract.ts';
import { peopleNamed } from './people.ts';

/** Serves the explanation of permissions. */
export function explanationRoutes({ db, get }: ServerContext): PluginRoute[] {
  const explanations = get(Explanations);

  return [
    route(explaining.of, ({ input, principal }) => explanations.of(principal, input)),
    route(explaining.people, ({ input }) => peopleNamed(db, input.text ?? '')),
    route(explaining.entries, ({ principal, language }) => explanations.entries(principal, language)),
    route(explaining.calls, ({ input, language }) => explanations.calls(input.text ?? '', language)),
  ];
}

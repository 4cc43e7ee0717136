import type { ServerContext } from '#server';
import { Explanations, type PluginRoute, route } from '#server';
import { permissionExplanation } from '../contract.ts';
import { findUsersByName } from './find-users.ts';

/** Serves the explanation of permissions. */
export function explanationRoutes({ db, get }: ServerContext): PluginRoute[] {
  const explanations = get(Explanations);

  return [
    route(permissionExplanation.of, ({ input, principal }) => explanations.of(principal, input)),
    route(permissionExplanation.people, ({ input }) => findUsersByName(db, input.text ?? '')),
    route(permissionExplanation.entries, ({ principal, language }) => explanations.entries(principal, language)),
    route(permissionExplanation.calls, ({ input, language }) => explanations.calls(input.text ?? '', language)),
  ];
}

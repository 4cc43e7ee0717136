import type { CallRequest, ServerContext } from '#server';
import { type PluginRoute, route } from '#server';
import { claiming } from '../contract.ts';
import type { Claims } from './claims.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { assertMiniAppClient } from './mini-app.ts';
import type { QueueInvalidation } from './queue.ts';

/** Serves the calls of the mini-app. Pictures are read before the transaction that stores their fingerprints. */
export function claimRoutes(context: Pick<ServerContext, 'db' | 'parameters' | 'files'>, claims: Claims, invalidation: QueueInvalidation): PluginRoute[] {
  const { files } = context;

  return [
    route(claiming.offers, ({ input }) => claims.listOffers(input)),
    route(claiming.details, ({ input }) => claims.detail(input.id)),
    route(claiming.mine, ({ input, principal }) => claims.mine(principal.userId, input)),
    route(claiming.claim, async ({ input, principal }) => {
      await assertMiniAppClient(context, principal);
      return claims.claim(principal, input.taskId);
    }),
    route(
      claiming.submit,
      async ({ input, principal, prepared }) => {
        await assertMiniAppClient(context, principal);
        invalidation.markStale(principal.tenantId);
        return claims.submit(principal, input, prepared);
      },
      { prepare: ({ input, principal }: CallRequest<typeof claiming.submit>) => fingerprintsOf(files, principal.tenantId, input) },
    ),
    route(claiming.giveUp, async ({ input, principal }) => {
      await assertMiniAppClient(context, principal);
      await claims.giveUp(principal, input.id);
    }),
  ];
}

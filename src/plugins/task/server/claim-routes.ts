import { sql } from 'drizzle-orm';
import { ApiError, type CallRequest, ensureClient, type PluginRoute, type Principal, queryRows, route, type ServerContext } from '#server';
import { claimClients, claiming, taskProblems } from '../contract.ts';
import type { Claims } from './claims.ts';
import { fingerprintsOf } from './fingerprints.ts';
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

const miniAppGrants = ['captcha', 'sms_code', 'social', 'refresh_token', 'register'];

/** Seeds the client with which the mini-app of a new deployment signs users in; an existing one is not changed. */
export async function seedClient({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await ensureClient(db, { clientId: 'miniapp', grants: miniAppGrants });
}

/** Refuses sessions that were not started by a client of the mini-app; a parameter lists these clients. */
async function assertMiniAppClient({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>, { sessionId }: Principal): Promise<void> {
  const clients = (await parameters.text(claimClients)).split(',').map((client) => client.trim());
  const [session] = await queryRows<{ client: string }>(db, sql`select client_id as client from session where id = ${sessionId}::uuid`);
  if (!session || !clients.includes(session.client)) throw new ApiError(taskProblems.wrongClient);
}

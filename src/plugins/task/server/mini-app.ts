import { sql } from 'drizzle-orm';
import { ApiError, ensureClient, type Principal, queryRows, type ServerContext } from '#server';
import { claimClients, taskProblems } from '../contract.ts';

/** Id of the client with which the mini-app of a new deployment signs users in. */
export const miniAppClient = 'miniapp';
const grants = ['captcha', 'sms_code', 'social', 'refresh_token', 'register'];

/** Seeds this client; an existing one is not changed. */
export async function seedClient({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await ensureClient(db, { clientId: miniAppClient, grants });
}

/** Refuses sessions that were not started by a client of the mini-app; a parameter lists these clients. */
export async function assertMiniAppClient({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>, { sessionId }: Principal): Promise<void> {
  const clients = (await parameters.text(claimClients)).split(',').map((client) => client.trim());
  const [session] = await queryRows<{ client: string }>(db, sql`select client_id as client from session where id = ${sessionId}::uuid`);
  if (!session || !clients.includes(session.client)) throw new ApiError(taskProblems.wrongClient);
}

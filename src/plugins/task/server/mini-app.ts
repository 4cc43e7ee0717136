import { sql } from 'drizzle-orm';
import { type Principal, Refusal, rowsOf, type ServerContext } from '#server';
import { taskProblems } from '../contract.ts';

/** The client a new deployment's mini-app signs people in with. */
export const miniAppClient = 'miniapp';
const grants = ['captcha', 'sms_code', 'social', 'refresh_token', 'register'];

/** Gives a new deployment that client; one that is there already is left as it is. */
export async function seedClient({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await db.sql.execute(
    sql`insert into client (client_id, secret_hash, is_public, authorized_grant_types)
        select ${miniAppClient}, '', true, ${JSON.stringify(grants)}::jsonb where not exists (select from client where client_id = ${miniAppClient} and is_deleted = 0)`,
  );
}

/** Lets through only who has signed in by a client of the mini-app; a parameter names others. */
export async function refuseOtherClients({ db, parameters }: Pick<ServerContext, 'db' | 'parameters'>, { sessionId }: Principal): Promise<void> {
  const clients = (await parameters.text('task.claimClients', miniAppClient)).split(',').map((client) => client.trim());
  const [session] = await rowsOf<{ client: string }>(db, sql`select client_id as client from session where id = ${sessionId}::uuid`);
  if (!session || !clients.includes(session.client)) throw new Refusal(taskProblems.wrongClient);
}

import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  Deployment,
  endSessions,
  type PluginRoute,
  publishClientCompatibility,
  queryRows,
  repositoryOf,
  route,
  type ServerContext,
  secretHash,
} from '#server';
import { passwordWeakness } from '#shared/password-rules';
import { isEmpty } from '#shared/text';
import { Client, client, clientProblems } from '../client-contract.ts';

/** Grants the console's client needs to sign users in and to renew sessions. */
const consoleGrants = ['captcha', 'refresh_token'] as const;

/** Repository of clients. The console's own client cannot be deleted or lose what sign-in needs. */
function clientsOf({ db, get }: ServerContext) {
  const { consoleClient } = get(Deployment);
  return repositoryOf(db, Client, {
    unique: [{ fields: ['clientId'] }],
    beforeSave(form, before) {
      for (const address of (form.webServerRedirectUri ?? '').split(',').flatMap((one) => one.trim() || [])) assertRedirectUri(address);
      const next = { ...before, ...form };
      const canSignInToConsole = next.clientId === consoleClient && next.isPublic && consoleGrants.every((grant) => next.authorizedGrantTypes?.includes(grant));
      if (before?.clientId === consoleClient && !canSignInToConsole) throw new ApiError(clientProblems.breaksConsole);
      if (next.clientId === consoleClient && next.compatibility !== 'none')
        throw new ApiError(clientProblems.consoleCompatibility, {}, { field: 'compatibility' });
    },
    async saved({ clientId, compatibility }, before) {
      if (before && before.clientId !== clientId) await publishClientCompatibility(db, before.clientId, false);
      await publishClientCompatibility(db, clientId, compatibility === 'bladex');
    },
    beforeRemove(rows) {
      if (rows.some(({ clientId }) => clientId === consoleClient)) throw new ApiError(clientProblems.breaksConsole);
    },
    async removed(rows) {
      await db.asPlatform('ends sessions of a deleted client in every tenant', async () => {
        for (const { clientId } of rows) {
          await endSessions(db, sql`client_id = ${clientId}`, 'kicked');
          await publishClientCompatibility(db, clientId, false);
        }
      });
    },
  });
}

/** Serves clients. A secret is returned once, when it is generated; only its hash is stored. */
export function clientRoutes(context: ServerContext): PluginRoute[] {
  const { db } = context;
  const clients = clientsOf(context);

  const storeSecret = (id: string, secret: string) =>
    queryRows(db, sql`update client set secret_hash = ${secretHash(secret)}, update_time = now() where id = ${id}`);

  async function generateSecret(id: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    await storeSecret(id, secret);
    return secret;
  }

  return [
    crudRoutes(client, clients, { search: { fields: ['clientId'], actions: { client_edit: true } } }),
    route(
      client.submit,
      async ({ input: { clientSecret, ...input } }) => {
        if (clientSecret) assertStrongSecret(clientSecret);
        const row = await clients.save(input);
        if (clientSecret) {
          await storeSecret(row.id, clientSecret);
          return row;
        }
        return isEmpty(input.id) && !row.isPublic ? { ...row, clientSecret: await generateSecret(row.id) } : row;
      },
      { noStore: true },
    ),
    route(
      client.rotate,
      async ({ input }) => {
        const { id, clientId } = await clients.detail(input.id);
        return { clientId, clientSecret: await generateSecret(id) };
      },
      { noStore: true },
    ),
  ];
}

/** Refuses short or guessable secrets, because secrets chosen by people are hashed only once, as generated ones are. */
function assertStrongSecret(secret: string): void {
  if (!/^[\x21-\x7e]{12,}$/.test(secret) || passwordWeakness(secret)) throw new ApiError(clientProblems.weakSecret, {}, { field: 'clientSecret' });
}

function assertRedirectUri(address: string): void {
  const isAbsolute = URL.canParse(address) && /^https?:\/\/[^#*\s]+$/i.test(address);
  if (!isAbsolute) throw new ApiError(clientProblems.invalidRedirectUri, {}, { field: 'webServerRedirectUri' });
}

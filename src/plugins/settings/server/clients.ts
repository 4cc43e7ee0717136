import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { endSessions, Refusal, repositoryOf, rowsOf, type ServerContext, secretHash } from '#server';
import { isEmpty } from '#shared/text';
import { Client, client, clientProblems } from '../contract.ts';

/** Without these nobody signs in to the console, or stays. */
const consoleGrants = ['captcha', 'refresh_token'] as const;

/** Clients. A secret leaves once, when it is made; what is kept of it is a hash. The console's own client cannot be taken from under those who sign in with it. */
export function serveClients({ serve, serveCrud, db, consoleClient }: ServerContext): void {
  const clients = repositoryOf(db, Client, {
    unique: [{ fields: ['clientId'] }],
    beforeSave(form, before) {
      for (const address of (form.webServerRedirectUri ?? '').split(',').flatMap((one) => one.trim() || [])) refuseUnlessWhole(address);
      const next = { ...before, ...form };
      const keepsConsole = next.clientId === consoleClient && next.isPublic && consoleGrants.every((grant) => next.authorizedGrantTypes?.includes(grant));
      if (before?.clientId === consoleClient && !keepsConsole) throw new Refusal(clientProblems.ownConsole);
    },
    beforeRemove(rows) {
      if (rows.some(({ clientId }) => clientId === consoleClient)) throw new Refusal(clientProblems.ownConsole);
    },
    async removed(rows) {
      await db.asPlatform('the sessions of a deleted client are ended in every tenant', async () => {
        for (const { clientId } of rows) await endSessions(db, sql`client_id = ${clientId}`, 'kicked');
      });
    },
  });

  async function newSecret(id: string): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    await rowsOf(db, sql`update client set secret_hash = ${secretHash(secret)}, update_time = now() where id = ${id}`);
    return secret;
  }

  serveCrud(client, clients);
  serve(
    client.submit,
    async ({ input }) => {
      const row = await clients.save(input);
      return isEmpty(input.id) && !row.isPublic ? { ...row, clientSecret: await newSecret(row.id) } : row;
    },
    { tellsSecret: true },
  );
  serve(
    client.rotate,
    async ({ input }) => {
      const { id, clientId } = await clients.detail(input.id);
      return { clientId, clientSecret: await newSecret(id) };
    },
    { tellsSecret: true },
  );
}

function refuseUnlessWhole(address: string): void {
  const isWhole = URL.canParse(address) && /^https?:\/\/[^#*\s]+$/i.test(address);
  if (!isWhole) throw new Refusal(clientProblems.wrongAddress, {}, { field: 'webServerRedirectUri' });
}

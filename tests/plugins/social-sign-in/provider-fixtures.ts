import { expect } from '@rstest/core';
import { clientHeaders, type Reply, type TestServer } from '../../support/test-server.ts';

export const providerPath = '/api/blade-system/identity-provider';
const tokenPath = '/api/things-auth/oauth/token';

/** Adds a provider as its administrator and returns its id. */
export async function addProvider(server: TestServer, headers: Record<string, string>, form: object): Promise<string> {
  const { data, msg, code } = await server.post(`${providerPath}/submit`, form, { headers });
  expect({ code, msg }).toMatchObject({ code: 200 });
  return data.id;
}

/** Maps a group of a provider to a role, which its members get. */
export async function mapGroup(server: TestServer, headers: Record<string, string>, mapping: { providerId: string; groupName: string; roleId: string }) {
  expect(await server.post(`${providerPath}-group/submit`, mapping, { headers })).toMatchObject({ code: 200 });
}

/** Signs in with a directory. */
export const signInWithDirectory = (server: TestServer, { source, username, password, tenantId = '000000' }: Record<string, string>) =>
  server.post(tokenPath, undefined, {
    headers: clientHeaders,
    query: { grant_type: 'ldap', tenantId, source: source ?? '', username: username ?? '', password: password ?? '' },
  });

/** Redeems the code with which an issuer has sent a browser back. */
export const redeem = (server: TestServer, { cookie, query }: { readonly cookie: string; readonly query: Record<string, string> }): Promise<Reply> =>
  server.post(tokenPath, undefined, { headers: { ...clientHeaders, cookie }, query: { grant_type: 'social', ...query } });

/** Returns the headers of the session that a token reply begins. */
export const sessionOf = ({ body }: Reply): Record<string, string> => ({ 'things-auth': `bearer ${body.access_token}` });

/** True while the session of these headers is accepted. */
export const isAlive = async (server: TestServer, headers: Record<string, string>): Promise<boolean> =>
  (await server.get('/api/blade-auth/oauth/user-info', { headers })).status === 200;

const isLiveSignIn = `exists (select from session s left join user_oauth o on o.id = p.identity_id
  where (s.sign_in_id = p.id or s.user_id = o.user_id) and s.revoked_at is null)`;

/** Waits until the server has claimed every live sign-in that is made due now. */
async function waitForClaims(server: TestServer): Promise<void> {
  await server.sql("update provider_sign_in set due_at = now() - interval '1 second'");
  const due = () => server.sql(`select 1 from provider_sign_in p where due_at <= now() and ${isLiveSignIn}`);
  await expect.poll(due, { timeout: 15_000 }).toEqual([]);
}

/** Waits until the server has asked the providers about every live session again. It waits for two claims, because the second begins after the first check has ended. */
export async function recheckSessions(server: TestServer): Promise<void> {
  await waitForClaims(server);
  await waitForClaims(server);
}

/** Returns the ids of the roles of an account, in ascending order. */
export const roleIdsOf = async (server: TestServer, account: string, tenantId = '000000'): Promise<string[]> => {
  const rows = await server.sql(
    `select r.id::text as id from user_role ur join role r on r.id = ur.role_id join user_account u on u.id = ur.user_id
     where u.account = '${account}' and u.tenant_id = '${tenantId}' order by r.id`,
  );
  return rows.map(({ id }) => String(id));
};

/** Creates a role without permissions and returns its id. */
export async function addRole(server: TestServer, name: string, tenantId = '000000'): Promise<string> {
  const [row] = await server.sql(`insert into role (tenant_id, role_name, role_alias) values ('${tenantId}', '${name}', '${name}') returning id::text as id`);
  return String(row?.id);
}

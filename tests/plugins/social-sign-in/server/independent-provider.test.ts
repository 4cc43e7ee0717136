import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plainProvider, type RealIssuer } from '../../../support/real-issuer.ts';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';

const web = 'http://localhost:8080';
const secret = 'what the provider gave the app';
const scopes = { github: 'read:user', gitee: 'user_info' };
type Source = keyof typeof scopes;
const sources = Object.keys(scopes) as Source[];

const issuers = new Map<Source, RealIssuer>();
let server: TestServer;

beforeAll(async () => {
  const endpoints: Record<string, object> = {};
  for (const source of sources) {
    const issuer = await plainProvider({ id: 'app', secret, redirectUri: `${web}/oauth/redirect/${source}` }, [scopes[source]]);
    issuers.set(source, issuer);
    endpoints[source] = { authorize: `${issuer.issuer}/auth`, token: `${issuer.issuer}/token`, user: `${issuer.issuer}/user` };
  }
  server = await openTestServer({ plugins: ['social-sign-in', 'registration'], environment: { PUBLIC_URL: web, SOCIAL_ENDPOINTS: JSON.stringify(endpoints) } });
  for (const source of sources)
    await server.sql(
      `insert into social_app (tenant_id, source, client_id, client_secret) values ('000000', '${source}', 'app', '${server.db.encryption.encrypt(secret)}')`,
    );
});
afterAll(async () => {
  await server.stop();
  for (const issuer of issuers.values()) await issuer.stop();
});

/** Starts a sign-in, signs in at the provider as a user, and returns the parameters of the redirect back. */
async function brought(source: Source, account: string) {
  const reply = await server.get(`/api/blade-auth/oauth/render/${source}`);
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const back = await issuers.get(source)?.signIn(String(reply.headers.location), account);
  expect(back?.origin).toBe(web);
  const { code = '', state = '' } = Object.fromEntries(back?.searchParams ?? []);
  return { cookie, query: { grant_type: 'social', tenantId: '000000', source, code, state } };
}
const enter = ({ cookie, query }: Awaited<ReturnType<typeof brought>>) =>
  server.post('/api/things-auth/oauth/token', undefined, { headers: { ...clientHeaders, cookie }, query });

test.each(sources)('an independent OAuth 2 server passes the flow of %s from end to end', async (source) => {
  const { status, body } = await enter(await brought(source, 'ada'));
  expect({ status, nobody: body.user_id, guest: body.oauth_id !== '', name: body.nick_name }).toEqual({ status: 200, nobody: '', guest: true, name: 'ada' });
  const kept = await server.sql(`select uuid, name from user_oauth where source = '${source}'`);
  expect(kept).toEqual([{ uuid: 'id-of-ada', name: 'ada' }]);
});

test('it refuses a used code and a foreign one, and so does this server', async () => {
  const first = await brought('github', 'bob');
  expect((await enter(first)).status).toBe(200);
  const again = await brought('github', 'bob');
  const spent = { ...again, query: { ...again.query, code: first.query.code } };
  expect(await enter(spent)).toMatchObject({ status: 400, body: { error_description: '第三方登录失败，请重试' } });
  const invented = await brought('github', 'bob');
  expect(await enter({ ...invented, query: { ...invented.query, code: 'invented' } })).toMatchObject({ status: 400 });
});

import { test } from '@rstest/core';
import { secretKeysOf } from '../../src/server/base/configuration/secret-key.ts';
import { Tokens } from '../../src/server/platform/identity/sessions/tokens.ts';
import { generateKeyPair, readKeyPair } from '../../src/server/platform/identity/signing/key-pairs.ts';
import { testSecret, testServer } from '../support/test-server.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const section = 'Access tokens';
const claims = { sid: '4ef11dab-c4f2-4987-b267-0e976c363656', tenant_id: '000000', user_id: '1', client_id: 'sryx' };
const batch = 25;
const rounds = 20;

/** Compares key pairs (ES256) with the secret (HS256) that signed access tokens before. */
test('signing and verifying a token', async () => {
  const { text } = await generateKeyPair();
  const pair = await readKeyPair(text);
  const secrets = secretKeysOf(testSecret).token;
  const [bySecret, byPair] = [new Tokens(secrets), new Tokens(secrets, { signerFor: async () => pair, publicKey: async () => pair.publicKey })];
  const repeated = (work: () => Promise<unknown>) => async () => {
    for (let count = 0; count < batch; count += 1) await work();
  };
  const [old, token] = [await bySecret.access(claims, {}, 3600), await byPair.access(claims, {}, 3600)];
  const kinds = {
    signing: [() => bySecret.access(claims, {}, 3600), () => byPair.access(claims, {}, 3600)],
    verifying: [() => bySecret.readAccess(old), () => byPair.readAccess(token)],
  } as const;
  for (const [what, [before, after]] of Object.entries(kinds)) {
    const [slow, fast] = await inTurn(rounds, repeated(after), repeated(before));
    const [pairMs, secretMs] = [median(slow ?? []) / batch, median(fast ?? []) / batch];
    report({
      section,
      what: `${what} a token with a key pair`,
      figure: `${milliseconds(pairMs)}, ${times(pairMs / secretMs)} that of a secret (${milliseconds(secretMs)})`,
      at: `${rounds} × ${batch} tokens`,
    });
  }
});

test('a request of a known caller', async () => {
  const server = await testServer();

  const headers = await server.signIn();
  const token = headers['things-auth']?.slice('bearer '.length) ?? '';
  const own = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const secret = await new Tokens(secretKeysOf(testSecret).token).access(own, {}, 3600);
  const path = '/api/blade-auth/oauth/user-info';
  const request = (bearer: string) => async () => {
    for (let count = 0; count < batch; count += 1) await server.get(path, { headers: { 'things-auth': `bearer ${bearer}` } });
  };
  const [pairTimes, secretTimes] = await inTurn(rounds, request(token), request(secret));
  const [pairMs, secretMs] = [median(pairTimes) / batch, median(secretTimes) / batch];
  report({
    section,
    what: 'a request with a token of a key pair',
    figure: `${milliseconds(pairMs)}, ${times(pairMs / secretMs)} that with a token of a secret (${milliseconds(secretMs)})`,
    bound: '1.1 ×',
    isMet: pairMs <= secretMs * 1.1,
    at: `${rounds} × ${batch} requests to user-info; the principal of a token is cached for a minute`,
  });
});

import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { clientHeaders, openTestServer, type TestServer } from '../../../../support/test-server.ts';

const samples = 40;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await server.createUser({ account: 'pattern' });
  // Uses the hash parameters of the product; the passwords of other test users use cheaper ones.
  await server.sql(`update user_account set password_hash = (select password_hash from user_account where account = 'admin') where account = 'pattern'`);
  const columns = 'tenant_id, password_hash, name, real_name';
  await server.sql(
    `insert into user_account (account, ${columns}) select 'known' || n, ${columns} from user_account, generate_series(1, ${samples}) n where account = 'pattern'`,
  );
  await server.sql(
    `insert into user_account (account, status, ${columns}) select 'disabled' || n, 2, ${columns} from user_account, generate_series(1, ${samples}) n where account = 'pattern'`,
  );
});
afterAll(() => server.stop());

/** Returns milliseconds and answer of a wrong password. Each account is tried once, from an address of its own, so that nothing is locked. */
async function guess(username: string, address: string): Promise<{ milliseconds: number; answer: string }> {
  const start = performance.now();
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    remoteAddress: address,
    headers: clientHeaders,
    payload: { grant_type: 'password', username, password: 'not the password' },
  });
  return { milliseconds: performance.now() - start, answer: `${reply.statusCode} ${reply.body}` };
}

/** Returns the Mann–Whitney U as a normal deviate. Beyond ±4 two samples differ; chance exceeds it once in fifteen thousand runs. */
function deviate(one: readonly number[], other: readonly number[]): number {
  const wins = one.reduce((sum, a) => sum + other.reduce((count, b) => count + (a > b ? 1 : a === b ? 0.5 : 0), 0), 0);
  const [n, m] = [one.length, other.length];
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

test('an unknown account, a disabled one and a known one get the same message after the same time', async () => {
  const times = { known: [] as number[], unknown: [] as number[], disabled: [] as number[], locked: [] as number[] };
  const answers = new Set<string>();
  await server.sql(
    `insert into login_failure select 'pair', '000000/locked', 99, now() + interval '20 minutes', '10.' || turn || '.1.' || n from generate_series(0, 3) turn, generate_series(1, ${samples}) n`,
  );
  for (let round = 0; round < 5; round += 1) await guess(`warm${round}`, `10.8.0.${round}`);
  for (let sample = 1; sample <= samples; sample += 1) {
    // The order changes in each round, so that a drift of the machine affects all kinds alike.
    const kinds = ['known', 'unknown', 'disabled', 'locked'] as const;
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(turn + sample) % kinds.length] ?? 'known';
      const { milliseconds, answer } = await guess(kind === 'locked' ? 'locked' : `${kind}${sample}`, `10.${turn}.1.${sample}`);
      times[kind].push(milliseconds);
      if (kind !== 'locked') answers.add(answer);
    }
  }
  expect([...answers]).toHaveLength(1);
  expect(Math.abs(deviate(times.known, times.unknown))).toBeLessThan(4);
  expect(Math.abs(deviate(times.known, times.disabled))).toBeLessThan(4);
  // The measure is sensitive enough: it detects an account that needs no hashing.
  expect(Math.abs(deviate(times.known, times.locked))).toBeGreaterThan(4);
}, 180_000);

import { expect, test } from '@rstest/core';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { Evidence } from '../../../../src/server/platform/evidence/evidence.ts';
import { Processors } from '../../../../src/server/platform/jobs/processors.ts';
import { testSecret, testServer } from '../../../support/test-server.ts';

test('the job notifies administrators of a log row that was changed in the database, and health and metrics show it', async () => {
  let jobs: Processors | undefined;
  const setup: ServerPlugin['setup'] = ({ get }) => {
    jobs = get(Processors);
    return {};
  };
  const probe = { id: 'probe', title: ['探针', 'Probe'] as const, setup };
  const environment = { METRICS_TOKEN: 'a token of at least 16 bytes' };
  const server = await testServer({ plugins: ['dictionary', 'organization', 'inbox', 'log', 'health', probe], environment });
  const headers = await server.signIn();
  const logged: string[] = [];
  const runJob = () =>
    jobs
      ?.of('log:verify-evidence')
      ?.run({ params: '', signal: new AbortController().signal, log: (_: string, text: string) => void logged.push(text) } as never);
  const health = async () => (await server.get('/api/things-system/health/report', { headers })).data;
  await expect.poll(() => server.sql('select 1 from login_log'), { timeout: 10_000 }).not.toEqual([]);
  const evidence = new Evidence({ db: server.db, keys: secretKeysOf(testSecret).evidence, tables: () => [], marginMs: 0 });
  const seals = async () => {
    await evidence.seal();
    return server.sql("select 1 from evidence_seal where source = 'login_log'");
  };
  await expect.poll(seals, { timeout: 30_000 }).not.toEqual([]);
  expect(Number(await runJob())).toBeGreaterThan(0);
  expect(logged).toEqual([]);

  const [line] = await server.sql("update login_log set address = '10.0.0.1' returning id::text as id");
  const difference = `000000 login_log: row ${line?.id} was changed`;
  await expect(runJob()).rejects.toThrow(`1 differences: ${difference}`);
  expect(logged).toEqual([expect.stringContaining(difference)]);
  const notices = await server.sql("select title->>1 as title, body->>1 as body from inbox_message where title::text like '%Logs or money%'");
  expect(notices).toHaveLength(1);
  const metrics = await server.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${environment.METRICS_TOKEN}` } });
  expect(metrics.body).toMatch(/^marquee_evidence_differences 1$/m);
  expect(metrics.body).toMatch(/^marquee_evidence_unsealed_seconds \d/m);
  expect(JSON.stringify(await health())).toContain(difference);
});

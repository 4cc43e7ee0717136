import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { Backups } from '#server';
import { BackupRuns } from '../../../../src/plugins/backup/server/backup-runs.ts';
import { backupGauges } from '../../../../src/plugins/backup/server/gauges.ts';
import { emailGauges } from '../../../../src/plugins/email/server/health.ts';
import { jobGauges } from '../../../../src/plugins/job/server/gauges.ts';
import { paymentGauges } from '../../../../src/plugins/payment/server/gauges.ts';
import { StoredParameters } from '../../../../src/server/base/stored-parameters.ts';
import { testServer } from '../../../support/test-server.ts';

test('the health screen and the alert rules have the same limits for the same metrics', async () => {
  const { db, app, host } = await testServer();
  const backups = new Backups(undefined, () => Promise.reject(new Error('none')));
  const runs = new BackupRuns({ db, parameters: new StoredParameters(app.log) });
  const gauges = [...jobGauges({ db, jobs: host.jobs }), ...paymentGauges({ db }), ...emailGauges({ db }), ...backupGauges({ db }, runs, backups)];
  const limits = gauges.flatMap(({ name, health = [] }) => health.flatMap(({ limit }) => (limit ? [[name, limit.above] as const] : [])));
  expect(limits.length).toBeGreaterThan(4);
  const rules = readFileSync('deploy/prometheus/marquee.rules.yml', 'utf8');
  for (const [name, above] of limits) {
    const rule = new RegExp(`expr: max\\(${name}(?:\\{.+\\})?\\) > (\\d+)`).exec(rules);
    expect([name, Number(rule?.[1])]).toEqual([name, above]);
  }
}, 120_000);

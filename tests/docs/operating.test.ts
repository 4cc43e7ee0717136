import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { readConfiguration } from '../../src/server/base/configuration/configuration.ts';
import { documentedCommands, sectionsWithCommands } from '../support/documented-commands.ts';

/** Test that runs the commands of each section of the operator's page, word for word. */
const runIn: Readonly<Record<string, string>> = {
  Configuration: 'tests/docs/operating.test.ts',
  'Custom deployments': 'tests/soak/deployments.soak.ts',
  'Exchanging the key': 'tests/journeys/admin.journey.ts',
  'Keys of access tokens': 'tests/journeys/admin.journey.ts',
  'Changes in the database': 'tests/journeys/admin.journey.ts',
  'Personal data': 'tests/journeys/admin.journey.ts',
  'First password and account recovery': 'tests/journeys/admin.journey.ts',
  Backup: 'tests/journeys/backup.journey.ts',
  Restoring: 'tests/journeys/backup.journey.ts',
  'Other ways': 'tests/server/host/backup.test.ts',
  'A point in time': 'tests/soak/point-in-time.soak.ts',
  'Read replica': 'tests/soak/read-replica.soak.ts',
  Failover: 'tests/soak/failover.soak.ts',
  'Plugins from packages': 'tests/journeys/plugin-packages.journey.ts',
  Metrics: 'tests/docs/operating.test.ts',
};

test('every command of a shell on the operator’s page is run by a test', () => {
  expect(sectionsWithCommands().sort()).toEqual(Object.keys(runIn).sort());
  for (const [section, file] of Object.entries(runIn))
    expect({ section, isRead: readFileSync(file, 'utf8').includes(`documentedCommands('${section}'`) }).toEqual({ section, isRead: true });
});

test.runIf(process.platform !== 'win32')('the documented commands generate secrets that the server accepts', () => {
  const commands = [...documentedCommands('Configuration'), ...documentedCommands('Metrics')].join('');
  const names = [...commands.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  const { stdout, status } = spawnSync('sh', ['-ec', `${commands}\nprintf '%s\\n' ${names.map((name) => `"$${name}"`).join(' ')}`], { encoding: 'utf8' });
  expect(status).toBe(0);
  const values = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((value, index) => [names[index] ?? '', value]),
  );
  expect(names).toEqual(['SECRET_KEY', 'CLIENT_SECRET', 'METRICS_TOKEN']);
  const { secretKey, clientSecret, metricsToken } = readConfiguration({ NODE_ENV: 'production', DATABASE_URL: 'postgres://user@db/marquee', ...values });
  expect([secretKey, clientSecret, metricsToken]).toEqual(Object.values(values));
});

import { expect, test } from '@rstest/core';
import { LogRetention } from '../../../../src/server/platform/audit/log-retention.ts';

test('a log whose old partitions cannot be dropped does not keep those of the others', async () => {
  const purged: string[] = [];
  const warnings: string[] = [];
  const retention = new LogRetention({
    db: { asPlatform: (_reason: string, work: () => Promise<unknown>) => work(), sql: { execute: async () => [] } },
    parameters: { integer: async () => 30 },
    evidence: {
      recordPurge: async ({ tables: [table = ''] }: { readonly tables: readonly string[] }) => {
        if (table === 'api_log') throw new Error('canceling statement due to lock timeout');
        purged.push(table);
      },
    },
    systemLog: { log: () => undefined },
    log: { warn: (_fields: object, message: string) => void warnings.push(message) },
  } as unknown as ConstructorParameters<typeof LogRetention>[0]);
  await retention.tick();
  expect(purged).toEqual(['error_log', 'usual_log', 'record_change']);
  expect(warnings).toEqual(['could not drop old log partitions']);
});

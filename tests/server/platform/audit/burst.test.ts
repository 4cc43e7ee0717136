import { expect, test } from '@rstest/core';
import { silent } from '../../../../src/server/base/log.ts';
import { ApiLog } from '../../../../src/server/platform/audit/api-log.ts';
import { PostgresSystemLog } from '../../../../src/server/platform/audit/postgres-system-log.ts';
import { serverFacts } from '../../../../src/server/platform/audit/server-facts.ts';
import type { AuthorizedRequest } from '../../../../src/server/platform/http/authorized-request.ts';
import { ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer } from '../../../support/test-server.ts';

test('a burst of log lines waits in a bounded queue behind the requests, and dropped lines are counted and reported', async () => {
  const server = await openTestServer({ plugins: [ledgerPlugin] });
  try {
    const headers = await server.signIn();
    const facts = serverFacts('test');
    const systemLog = new PostgresSystemLog(server.db, silent, facts);
    const log = new ApiLog(server.db, silent, facts, systemLog.of('log'));
    const line = {
      route: { call: ledger.all, plugin: 'ledger' },
      request: { principal: { tenantId: '000000', userId: '1', account: 'burst' }, origin: { userAgent: '', address: '', requestId: '' }, input: {} },
      milliseconds: () => 0,
    } as unknown as AuthorizedRequest;
    const ended: string[] = [];
    for (let count = 0; count < 12_345; count += 1) log.answered(line);
    const written = log.flush().then(() => ended.push('lines'));
    for (let request = 0; request < 3; request += 1) {
      expect(await server.get(ledger.all.path, { headers })).toMatchObject({ status: 200 });
      ended.push('request');
    }
    await written;
    expect(ended).toEqual(['request', 'request', 'request', 'lines']);
    await systemLog.flush();
    const [kept] = await server.sql("select count(*)::integer as lines from api_log where create_by = 'burst'");
    expect(kept?.lines).toBe(10_000);
    const [said] = await server.sql("select log_level, log_data from usual_log where log_id = 'log:lines-dropped'");
    expect(said).toEqual({ log_level: 'warn', log_data: JSON.stringify({ log: 'api_log', dropped: 2345 }) });
  } finally {
    await server.stop();
  }
});

test('the system log is bounded as well, and reports dropped lines', async () => {
  const server = await openTestServer();
  try {
    const log = new PostgresSystemLog(server.db, silent, serverFacts('test'));
    for (let count = 0; count < 1500; count += 1) log.of('burst').log({ level: 'info', event: 'burst:line', data: { count } });
    await log.flush();
    const rows = await server.sql(
      "select log_id, count(*)::integer as lines, max(log_data) as data from usual_log where method_class in ('burst', 'log') group by log_id order by log_id",
    );
    expect(rows).toMatchObject([
      { log_id: 'burst:line', lines: 1000 },
      { log_id: 'log:lines-dropped', lines: 1, data: JSON.stringify({ log: 'usual_log', dropped: 500 }) },
    ]);
  } finally {
    await server.stop();
  }
});

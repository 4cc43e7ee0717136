import { expect, test } from '@rstest/core';
import { brokenLamp, failingCall } from '../../../support/broken-lamp.ts';
import { testServer } from '../../../support/test-server.ts';

test('the lines of a request name its request, tenant, user and trace, in its error too', async () => {
  const { app, get, signIn } = await testServer({ plugins: [brokenLamp()], environment: { LOG_LEVEL: 'info' } });
  const lines: Record<string, unknown>[] = [];
  const [stream] = Object.getOwnPropertySymbols(app.log).filter((symbol) => symbol.description === 'pino.stream') as [symbol];
  Object.assign(app.log, { [stream]: { write: (line: string) => lines.push(JSON.parse(line)) } });
  const headers = await signIn();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await get(failingCall.path, { headers: { ...headers, 'x-request-id': 'request-0001', traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  await get(failingCall.path, { headers: { 'x-request-id': 'request-0002', traceparent: 'nonsense' } });
  const of = (reqId: string) => lines.filter((line) => line.reqId === reqId);
  const ids = { reqId: 'request-0001', tenant: '000000', user: expect.stringMatching(/^\d+$/), trace };
  expect(of('request-0001')).toMatchObject([
    { ...ids, msg: 'request failed' },
    { ...ids, msg: 'request answered', status: 500 },
  ]);
  expect(of('request-0002').map(({ msg, status, user, trace }) => ({ msg, status, user, trace }))).toEqual([{ msg: 'request answered', status: 401 }]);
});

import { expect, test } from '@rstest/core';
import { defineServerPlugin, route } from '#server';
import { get, NoContent, NoInput } from '#shared/contract';
import { testServer } from '../../../support/test-server.ts';

const failing = get('/api/lamp/fail', { title: ['故障', 'Failure'], access: 'signedIn', input: NoInput, reply: NoContent });
const lamp = defineServerPlugin({
  id: 'lamp',
  title: ['灯', 'Lamp'],
  setup: () => ({
    routes: [
      route(failing, () => {
        throw new Error('the lamp is broken');
      }),
    ],
  }),
});

test('the lines of a request name its request, tenant, user and trace, in its error too', async () => {
  const { app, get, signIn } = await testServer({ plugins: [lamp], environment: { LOG_LEVEL: 'info' } });
  const lines: Record<string, unknown>[] = [];
  const [stream] = Object.getOwnPropertySymbols(app.log).filter((symbol) => symbol.description === 'pino.stream') as [symbol];
  Object.assign(app.log, { [stream]: { write: (line: string) => lines.push(JSON.parse(line)) } });
  const headers = await signIn();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await get(failing.path, { headers: { ...headers, 'x-request-id': 'request-0001', traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
  await get(failing.path, { headers: { 'x-request-id': 'request-0002', traceparent: 'nonsense' } });
  const of = (reqId: string) => lines.filter((line) => line.reqId === reqId);
  const ids = { reqId: 'request-0001', tenant: '000000', user: expect.stringMatching(/^\d+$/), trace };
  expect(of('request-0001')).toMatchObject([
    { ...ids, msg: 'request failed' },
    { ...ids, msg: 'request answered', status: 500 },
  ]);
  expect(of('request-0002').map(({ msg, status, user, trace }) => ({ msg, status, user, trace }))).toEqual([{ msg: 'request answered', status: 401 }]);
});

import { afterAll, beforeAll, describe, test } from '@rstest/core';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import * as Type from 'typebox';
import { plugins } from '#deployment/server';
import { route } from '#server';
import { get, NoContent } from '#shared/contract';
import { defineServerPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { median, report, times } from './report.ts';

const section = 'Requests per second';
const seconds = 5;
const connections = 10;

/** Passes every stage of the request pipeline and does nothing in the handler. */
const nothing = get('/api/bench/nothing', { title: ['无', 'Nothing'], access: 'signedIn', input: Type.Object({}), reply: NoContent });
const idle = defineServerPlugin({ id: 'bench', title: ['基准', 'Bench'], setup: () => ({ routes: [route(nothing, () => null)] }) });

const calls = [
  { what: 'a signed-in call that does nothing', path: nothing.path },
  { what: 'menu/buttons, read from its tables each time', path: '/api/blade-system/menu/buttons' },
  { what: 'param/list, one page with its total', path: '/api/blade-system/param/list' },
];

/** Compares a signed-in call over a real socket with a bare Fastify route that answers the same bytes. */
describe.skipIf(serverUrl === undefined)('requests per second', () => {
  let server: TestServer;
  let headers: Readonly<Record<string, string>>;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const database = await openTestDatabase();
    drop = database.drop;
    server = await openTestServer({ plugins: [...plugins, idle], db: database.db });
    headers = await server.signIn();
    await server.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server?.stop();
    await drop?.();
  });

  for (const { what, path } of calls) {
    test(what, async () => {
      const { body } = await server.app.inject({ url: path, headers });
      const bare = Fastify();
      bare.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
      await bare.listen({ host: '127.0.0.1', port: 0 });
      try {
        const figures = { ours: [] as number[], bare: [] as number[] };
        for (const [name, app] of [
          ['bare', bare],
          ['ours', server.app],
          ['bare', bare],
          ['ours', server.app],
        ] as const) {
          const address = app.server.address();
          const port = typeof address === 'object' ? address?.port : undefined;
          figures[name].push(await requestsPerSecond(`http://127.0.0.1:${port}${path}`, headers));
        }
        const [ours, alone] = [median(figures.ours), median(figures.bare)];
        report({
          section,
          what,
          figure: `${Math.round(ours).toLocaleString('en')}, ${times(ours / alone)} a bare route (${Math.round(alone).toLocaleString('en')})`,
          at: `${connections} connections, ${seconds} s each, twice in turn, ${body.length.toLocaleString('en')} bytes; the client in a thread beside the server`,
        });
      } finally {
        await bare.close();
      }
    });
  }
});

async function requestsPerSecond(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const load = { url, headers: { ...headers }, connections, workers: 1 };
  await autocannon({ ...load, duration: 1 });
  const result = await autocannon({ ...load, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

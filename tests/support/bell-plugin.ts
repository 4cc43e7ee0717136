import { expect } from '@rstest/core';
import type { Database } from '../../src/server/data/index.ts';
import { type ContainedBell, containedBell } from './contained-bell.ts';
import { packageKey, packedPlugin } from './package-archive.ts';
import { type TestServer, testServer } from './test-server.ts';

/** Path of the calls of packages. */
export const path = '/api/blade-system/plugin/package';
/** Key that the servers of these tests trust. */
export const acme = packageKey();

/** Source of a server half with a table, a menu and a call that returns its version and the number of its rows. */
export const bell = (version: string, more = '') => `
const { defineServerPlugin, route, queryRows } = globalThis.marqueeModules['#server'];
const { get, NoInput } = globalThis.marqueeModules['#shared/contract'];
const { menu } = globalThis.marqueeModules['#shared/menu-entry'];
const Type = globalThis.marqueeModules.typebox;
const { sql } = globalThis.marqueeModules['drizzle-orm'];
const ring = get('/api/bell/ring', { title: ['敲钟', 'Ring'], access: { code: 'bell' }, input: NoInput, reply: Type.Object({ version: Type.String(), rows: Type.Integer() }) });
export default defineServerPlugin({
  id: 'bell',
  title: ['钟', 'Bell'],
  menus: [menu({ code: 'bell', title: ['钟', 'Bell'], path: '/bell' })],
  setup({ db }) {
    ${more}
    return {
      routes: [route(ring, async () => ({ version: '${version}', rows: (await queryRows(db, sql\`select * from bell\`)).length }))],
    };
  },
});`;

/** Packs a version of the plugin; `more` runs in its `setup`. */
export const bellPackage = (version: string, more?: string, migrations = {}) =>
  packedPlugin({
    id: 'bell',
    version,
    server: bell(version, more),
    modules: ['#server', '#shared/contract', '#shared/menu-entry', 'typebox', 'drizzle-orm'],
    migrations: {
      '0001-bell.sql': "create table bell (like tenant_row including all); call own_by_tenant('bell');",
      ...migrations,
    },
    changes: [`It rings as ${version}.`],
    key: acme.key,
  });

/** The address of a server that listens: an app that takes over receives only requests of the network. */
export async function listening(server: TestServer): Promise<RemoteCall> {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as { port: number };
  return async (to, headers, body) => {
    const sent = body && { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const reply = await fetch(`http://127.0.0.1:${port}${to}`, sent ?? { headers });
    const { data, msg } = (await reply.json()) as { data: unknown; msg: string };
    return { status: reply.status, data, msg };
  };
}

/** Calls a listening server: GET, or POST with a body. */
export type RemoteCall = (path: string, headers: Record<string, string>, body?: object) => Promise<{ status: number; data: unknown; msg: string }>;

/** Starts a server that accepts packages, on a database of its own or of another server. */
export const opened = (environment: Record<string, string> = { PLUGIN_KEYS: acme.setting }, db?: Database) =>
  testServer({ plugins: ['access', 'plugins'], environment, ...(db ? { db } : {}) });

/** Uploads and installs a package; returns the reply that decides. */
export async function installed(server: TestServer, headers: Record<string, string>, archive: Buffer) {
  const uploaded = await server.upload(`${path}/upload`, { name: 'bell.tgz', content: archive }, { headers });
  expect(uploaded.msg, JSON.stringify(uploaded.body)).not.toMatch(/error/i);
  return uploaded.success ? server.post(`${path}/install`, { digest: uploaded.data.digest }, { headers }) : uploaded;
}

/** A server that runs a plugin contained, with an administrator who calls it over the network. */
export interface ContainedServer {
  readonly server: TestServer;
  readonly headers: Record<string, string>;
  readonly call: RemoteCall;
}

/** Starts a server, with the inbox, and installs a plugin that it runs contained. */
export async function runContained(bell: ContainedBell, environment: Readonly<Record<string, string>> = {}): Promise<ContainedServer> {
  const server = await testServer({ plugins: ['access', 'inbox', 'plugins'], environment: { UNSIGNED_PLUGINS: 'contained', ...environment } });
  const headers = await server.signIn();
  const call = await listening(server);
  const reply = await installed(server, headers, await containedBell(bell));
  expect(reply.success, reply.msg).toBe(true);
  return { server, headers, call };
}

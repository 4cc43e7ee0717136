import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import Schema from 'typebox/schema';
import { plugins as deployed } from '#deployment/server';
import type { Call, Entity } from '#shared/contract';
import { parentCode } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';
import { dependencyIds } from '#shared/plugin-versions';
import { snakeCase } from '#shared/text';
import { compareTables, migrationsOf } from '../../src/server/data/index.ts';
import { tableOwners } from '../../src/server/data/schema/created-objects.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import type { InstalledPlugin, ServerPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import { openTestServer, type Reply, type TestServer, type TestServerOptions, testServer } from '../support/test-server.ts';
import { sample } from './fixtures.ts';

export type { Reply, RequestOptions, TestServer, TestServerOptions } from '../support/test-server.ts';
export { formOf, pageOf, rowOf } from './fixtures.ts';
export { type PluginSamples, type SampleRow, storedFileKey } from './samples.ts';

/** A real server, with operations that no request offers. */
export interface ServerHarness extends TestServer {
  /** Runs a job processor of a plugin at once and in one part; returns its outcome. */
  runJob(name: string, params?: object, tenantId?: string): Promise<string | undefined>;
}

type PluginEntry = NonNullable<TestServerOptions['plugins']>[number];

const pluginOf = (entry: InstalledPlugin | ServerPlugin): ServerPlugin => ('plugin' in entry ? entry.plugin : entry);
const idOf = (entry: PluginEntry): string => (typeof entry === 'string' ? entry : pluginOf(entry).id);

/** Returns the plugins with their dependencies, and the dependencies of these, as far as the deployment has them. */
function withDependencies(entries: readonly PluginEntry[]): PluginEntry[] {
  const all = new Map(entries.map((entry) => [idOf(entry), entry]));
  for (const entry of all.values()) {
    const declared = typeof entry === 'string' ? deployed.find(({ plugin }) => plugin.id === entry)?.plugin : pluginOf(entry);
    // A map also visits the entries that are added meanwhile.
    for (const id of dependencyIds(declared?.dependencies)) if (!all.has(id) && deployed.some(({ plugin }) => plugin.id === id)) all.set(id, id);
  }
  return [...all.values()];
}

/**
 * Creates a real server on an empty database with these plugins and their dependencies; plugins of the deployment are named by id. Optional dependencies run if they
 * are listed. It ends with the test.
 */
export async function createServerHarness(options: TestServerOptions = {}): Promise<ServerHarness> {
  const server = await testServer({ ...options, plugins: withDependencies(options.plugins ?? []) });
  return {
    ...server,
    async runJob(name, params = {}, tenantId = '000000') {
      const processor = server.host.jobs.of(name);
      if (!processor) throw new Error(`No plugin can do ${name} as a job.`);
      return processor.run({
        tenantId,
        instanceId: '1',
        params: JSON.stringify(params),
        instanceParams: '',
        readSecret: async () => undefined,
        signal: new AbortController().signal,
        log: () => undefined,
        write: (work) => server.db.write({ tenantId }, work),
        map: async () => {
          throw new Error('A run that is cut into parts is tried through the job plugin.');
        },
      });
    },
  };
}

const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null && 'row' in value && 'form' in value && 'owner' in value;

/** Registers tests of the rules for the server half of every plugin: `serverContract('lamp', contract)`. Its dependencies run as well; `beside` lists further plugins. */
export function serverContract(
  plugin: string | InstalledPlugin | ServerPlugin,
  contract: object,
  { beside = [] }: { readonly beside?: readonly string[] } = {},
): void {
  const id = idOf(plugin);
  describe(`${id}: the server's half`, () => {
    let server: TestServer;
    let headers: Record<string, string>;
    beforeAll(async () => {
      server = await openTestServer({ plugins: withDependencies([...beside, plugin]) });
      headers = await server.signIn();
    });
    afterAll(() => server.stop());
    const calls = () => server.host.routes.filter((route) => route.plugin === id).map(({ call }) => call);
    const own = () => server.host.running.find((running) => running.id === id);
    const send = ({ method, path }: Call, input: Record<string, unknown>, as: Record<string, string>): Promise<Reply> =>
      method === 'GET' ? server.get(path, { headers: as, query: input as Record<string, string> }) : server.post(path, input, { headers: as });

    test('runs on an empty database', () => {
      expect(server.host.skipped).toEqual([]);
      expect(own()).toBeDefined();
    });

    test('declares menus under existing groups, and guards its calls by their codes', () => {
      const menus = own()?.menus ?? [];
      const known = server.host.running.flatMap(({ menus: all = [] }) => all);
      const groups = new Set([...Object.values(menuGroups), ...known].map(({ code }) => code));
      expect(menus.filter((menu) => menu.under !== undefined && !groups.has(parentCode(menu) ?? '')).map(({ code }) => code)).toEqual([]);
      const codes = known.flatMap(({ code, buttons = [] }) => [
        code,
        ...buttons.map((button) => (typeof button === 'string' ? `${code}_${button}` : button.code)),
      ]);
      const unknown = calls().flatMap(({ path, access: who }) =>
        typeof who === 'object'
          ? Object.values(who)
              .filter((code) => !codes.includes(code))
              .map((code) => `${path}: ${code}`)
          : [],
      );
      expect(unknown.filter((code) => !/_(export|import)$/.test(code))).toEqual([]);
    });

    test('refuses callers without a session or without the code', async () => {
      await server.createUser({ account: 'nobody', codes: [] });
      const nobody = await server.signIn('nobody');
      for (const call of calls().filter(({ access: who }) => who !== 'open')) {
        expect({ path: call.path, ...(await send(call, sample(call.input), {})) }).toMatchObject({ path: call.path, status: 401 });
        if (typeof call.access === 'object')
          expect({ path: call.path, ...(await send(call, sample(call.input), nobody)) }).toMatchObject({ path: call.path, status: 403 });
      }
    });

    test('returns the promised replies of its calls', async () => {
      const asked = calls().filter(
        ({ method, input, download }) => method === 'GET' && !download && ((input as { required?: string[] }).required ?? []).length === 0,
      );
      for (const call of asked) {
        const reply = await send(call, {}, headers);
        expect({ path: call.path, code: reply.code, msg: reply.msg }).toMatchObject({ code: 200 });
        expect(Schema.Check(call.reply as object, reply.data), `${call.path} answered ${JSON.stringify(reply.data)}`).toBe(true);
      }
    });

    test('creates the tables of its entities', async () => {
      const owners = tableOwners(migrationsOf(deployed, kernelMigrations));
      for (const entity of Object.values(contract).filter(isEntity)) {
        const isPartial = ![undefined, id].includes(owners.get(snakeCase(entity.name)));
        expect({ entity: entity.name, differences: await compareTables(server.db, entity, { isPartial }) }).toEqual({ entity: entity.name, differences: [] });
      }
    });
  });
}

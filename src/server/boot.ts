import { sql } from 'drizzle-orm';
import type { Manifest } from '#shared/manifest';
import { ApiLog } from './audit/api-log.ts';
import { Passwords } from './auth/passwords.ts';
import { startAuth } from './auth/start-auth.ts';
import { ServerBus } from './bus.ts';
import type { Configuration } from './configuration.ts';
import { type Database, migrate } from './db/index.ts';
import { type FirstSignIn, seedFirstStart } from './first-start.ts';
import { describeApi } from './http/api-description.ts';
import type { App } from './http/app.ts';
import { serveConsole } from './http/console-files.ts';
import { Handling } from './http/handling.ts';
import { serveHealth } from './http/health.ts';
import { mountRoutes } from './http/mount.ts';
import { checkRoutes, type Route } from './http/route.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { declaredMenus } from './permission/declared-menus.ts';
import { GrantedMenus } from './permission/granted-menus.ts';
import { permissionRoutes } from './permission/routes.ts';
import { seedMenus } from './permission/seed-menus.ts';
import type { InstalledPlugin } from './plugin.ts';
import { PluginHost } from './plugin-host.ts';
import { rowsOf } from './rows.ts';
import type { SecretKeys } from './secret-key.ts';
import { StoredParameters } from './stored-parameters.ts';
import { platformTenant } from './tenancy/identity.ts';

/** What a server is made from. */
export interface BootParts {
  readonly app: App;
  readonly db: Database;
  readonly configuration: Configuration;
  readonly keys: SecretKeys;
  readonly manifest: Manifest;
  readonly installed: readonly InstalledPlugin[];
}

/** A server that answers, though on no port yet. */
export interface Booted {
  readonly firstSignIn: FirstSignIn | undefined;
  readonly host: PluginHost;
  /** Answers what is under way, writes what is waiting, then lets go of the database. */
  stop(): Promise<void>;
}

/** Migrates, seeds, starts the plugins and mounts every call. */
export async function boot({ app, db, configuration, keys, manifest, installed }: BootParts): Promise<Booted> {
  const parameters = new StoredParameters(app.log);
  const bus = new ServerBus(db, app.log);
  const host = new PluginHost({ db, bus, parameters, log: app.log });
  const passwords = new Passwords(keys.sm2);
  const apiLog = new ApiLog(db, app.log, configuration.mode);

  const planned = host.plan(installed);
  await migrate(db, [], kernelMigrations);
  const ready = await host.migrate(planned);
  await apiLog.prepare();
  const firstSignIn = await seedFirstStart(db, passwords, configuration);
  await host.start(ready);
  checkRoutes(host.routes);
  const declared = declaredMenus(host.running);
  await seedMenus(db, declared);

  const menus = new GrantedMenus(db, new Set([...declared.map(({ code }) => code), ...codesOf(host.routes)]));
  const { identity, routes: authCalls } = startAuth({ db, keys, passwords, parameters, menus, log: app.log, configuration });
  const routes = [...authCalls, ...permissionRoutes(menus), ...host.routes];
  if (configuration.apiDocs) await describeApi(app, manifest);
  mountRoutes(app, routes, { identify: (origin) => identity.of(origin), handling: new Handling(db, apiLog) });
  const drain = serveReadiness(app, db);
  await serveConsole(app, routes, configuration.consoleDirectory);
  await app.ready();
  app.log.info({ plugins: host.running.map(({ id }) => id), calls: routes.length, sm2PublicKey: passwords.publicKey }, 'the server is ready');

  return {
    firstSignIn,
    host,
    async stop() {
      drain();
      await app.close();
      await bus.settle();
      await apiLog.flush();
      await db.close();
    },
  };
}

function serveReadiness(app: App, db: Database): () => void {
  let draining = false;
  serveHealth(app, {
    get draining() {
      return draining;
    },
    check: async () => void (await db.read({ tenantId: platformTenant }, () => rowsOf(db, sql`select 1`))),
  });
  return () => {
    draining = true;
  };
}

/** Codes that calls ask for, whether or not a button bears them. */
function codesOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ call: { who } }) => (typeof who === 'string' ? [] : 'code' in who ? [who.code] : [who.add, who.edit]));
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MemoryFS, PGlite, types } from '@electric-sql/pglite';
import { TaskQueue } from '#shared/task-queue';
import { platform } from '../context/identity.ts';
import { type DatabaseConnection, DatabaseSession, type Driver } from '../database/session.ts';
import { ensureTenantRole } from '../database/tenant-role.ts';
import { lockDirectory } from './directory-lock.ts';
import { backupFinished, EmbeddedCopies } from './embedded-copies.ts';
import { EmbeddedStatements } from './embedded-statements.ts';

interface EmbeddedOptions {
  /** Undefined creates the database in memory; it is lost when closed. */
  readonly directory: string | undefined;
  readonly timeZone: string;
  /** A prebuilt database, as a path or as files in memory, which makes creation much faster. */
  readonly template: string | MemoryFS | undefined;
  /** Gets the lines of other processes on the socket of the directory; false for one that it does not answer. */
  readonly onLine?: (caller: Socket, line: string) => boolean;
}

/** The driver of an embedded database that is open in this process. */
export interface EmbeddedDriver extends Driver {
  /** Runs work with exclusive use of the connection, whose tenant is unknown before and after. */
  useConnection(work: (connection: DatabaseConnection) => Promise<void>): Promise<void>;
}

/** Runs PostgreSQL inside this process, with one connection that serves one piece of work after another. */
export async function embeddedDriver({ directory, timeZone, template, onLine }: EmbeddedOptions): Promise<EmbeddedDriver> {
  if (directory === undefined) return driverOf(await openEngine(directory, template), timeZone);
  const copies = new EmbeddedCopies(directory, onLine);
  const unlock = await lockDirectory(directory, (caller) => copies.serve(caller));
  try {
    await copies.clear();
    const driver = await driverOf(await openEngine(directory, template), timeZone);
    copies.setSource((copy) =>
      driver.use(async (session) => {
        await session.script(platform, 'checkpoint');
        await copy();
      }),
    );
    return {
      ...driver,
      isCopied: () => copies.isRunning,
      onNotification: (listener) => copies.onFinished(() => listener(backupFinished, '')),
      close: async () => {
        await copies.close();
        await driver.close();
        await unlock();
      },
    };
  } catch (error) {
    await copies.close();
    await unlock();
    throw error;
  }
}

async function driverOf(engine: PGlite, timeZone: string): Promise<EmbeddedDriver> {
  await ensureTenantRole(async (statement) => (await engine.query<Record<string, unknown>>(statement)).rows);
  const connection = connectionTo(engine);
  let session = new DatabaseSession(connection);
  await session.prepare(timeZone);
  const queue = new TaskQueue();
  return {
    engine: 'embedded',
    // The engine never waits, so that a series of pieces of work would hold the event loop until its end: timers and requests come first.
    use: (work) => queue.run(() => nextTurn().then(() => work(session))),
    useConnection: (work) =>
      queue.run(async () => {
        await nextTurn();
        session = new DatabaseSession(connection);
        await work(connection);
      }),
    check: () => queue.run(async () => void (await engine.query('select 1'))),
    onNotification: () => undefined,
    signal: undefined,
    isCopied: () => false,
    close: () => queue.run(() => engine.close()),
  };
}

async function openEngine(directory: string | undefined, template: string | MemoryFS | undefined): Promise<PGlite> {
  if (directory === undefined) return PGlite.create(await templateOptions(template));
  const dataDir = join(directory, 'postgres');
  const unfinished = join(directory, 'postgres.unfinished');
  // A directory whose first start was interrupted contains no data and would never start again.
  if (existsSync(unfinished)) await rm(dataDir, { recursive: true, force: true });
  if (existsSync(join(dataDir, 'PG_VERSION'))) return PGlite.create({ dataDir });
  await mkdir(directory, { recursive: true });
  await writeFile(unfinished, '');
  const engine = await PGlite.create({ dataDir, ...(await templateOptions(template)) });
  await rm(unfinished);
  return engine;
}

async function templateOptions(template: string | MemoryFS | undefined): Promise<{ loadDataDir?: Blob; fs?: MemoryFS }> {
  if (template === undefined) return {};
  return typeof template === 'string' ? { loadDataDir: new Blob([new Uint8Array(await readFile(template))]) } : { fs: template };
}

const asText = (value: string) => value;
const parsers = { [types.DATE]: asText, [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.INT8]: asText, [types.INTERVAL]: asText };

const tableChangePattern = /\b(create|alter|drop)\b/i;

function connectionTo(engine: PGlite): DatabaseConnection {
  const statements = new EmbeddedStatements(engine, parsers);
  return {
    query: (text, parameters, shape) => statements.query(text, parameters, shape),
    script: async (script) => {
      if (!tableChangePattern.test(script)) return statements.script(script);
      statements.reset();
      await engine.exec(script);
    },
  };
}

/** Writes a gzipped dump of a database filled by `fill`, which is empty or made from a template before. */
export async function dumpDatabase(path: string, fill: (driver: Driver) => Promise<void>, template?: MemoryFS): Promise<void> {
  const engine = await PGlite.create(await templateOptions(template));
  try {
    await fill(await driverOf(engine, 'UTC'));
    const dump = await engine.dumpDataDir('gzip');
    await writeFile(path, new Uint8Array(await dump.arrayBuffer()));
  } finally {
    await engine.close();
  }
}

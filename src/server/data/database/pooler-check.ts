import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Timeout of a statement that may wait for a process of the pooler, in milliseconds. */
const probeMs = 1000;

/**
 * Throws for a pooler that assigns a connection per transaction. The tenant and the names of prepared statements belong to a session: behind such a pooler another
 * caller would act with this one's tenant. The check queries two connections in turn; a real session keeps its settings, statements and process throughout.
 */
export async function assertSessionPooling(setting: string, [one, other]: readonly [pg.ClientBase, pg.ClientBase]): Promise<void> {
  const mark = randomBytes(8).toString('hex');
  const firstValue = async (client: pg.ClientBase, text: string) => (await client.query<{ value: string }>(text)).rows[0]?.value;
  const processOf = (client: pg.ClientBase) => firstValue(client, 'select pg_backend_pid()::text as value');
  try {
    const first = await processOf(one);
    await one.query({ name: `probe_${mark}`, text: 'select 1' });
    await one.query(`set marquee.probe = '${mark}'`);
    // While `other` is inside a transaction it occupies a server process, which behind a pooler may be the one that `one` has used.
    await other.query('begin');
    const second = await processOf(other);
    const keepsSession =
      first !== second &&
      (await processOf(one)) === first &&
      (await firstValue(one, "select current_setting('marquee.probe', true) as value")) === mark &&
      (await firstValue(one, `select count(*)::text as value from pg_prepared_statements where name = 'probe_${mark}'`)) === '1';
    await other.query('commit');
    const isIsolated = ((await firstValue(other, "select current_setting('marquee.probe', true) as value")) ?? '') !== mark;
    if (!keepsSession || !isIsolated) throw new TransactionPoolerError(setting);
    await one.query(`deallocate probe_${mark}; reset marquee.probe`);
  } catch (error) {
    // A statement that is missing, or exists already, shows that another caller's process answered.
    throw /^(26000|42P05)$/.test((error as pg.DatabaseError).code ?? '') ? new TransactionPoolerError(setting) : error;
  }
}

/** Throws unless the pooler of `DATABASE_URL` leads to the database of `DATABASE_DIRECT_URL`: a lock that one holds is refused to the other. */
export async function assertSameDatabase(pooled: pg.ClientBase, direct: pg.ClientBase): Promise<void> {
  const lock = randomBytes(4).readInt32BE();
  await direct.query('select pg_advisory_lock($1)', [lock]);
  try {
    // A pooler that assigns a connection to each statement refuses to begin a transaction.
    await pooled.query('begin');
    const { rows } = await pooled.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [lock]);
    await pooled.query('commit');
    if (rows[0]?.free !== false) throw new Error('DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.');
  } finally {
    await direct.query('select pg_advisory_unlock($1)', [lock]);
  }
}

/**
 * Tells whether a pooler in transaction mode prepares named statements on each process that it assigns, as PgBouncer does from 1.21 on with `max_prepared_statements`.
 * Two of its connections are needed, and two processes; without proof the answer is no.
 */
export async function carriesStatements(one: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const name = `probe_${randomBytes(8).toString('hex')}`;
  const text = 'select pg_backend_pid()::text as process';
  const ask = (client: pg.ClientBase, query: pg.QueryConfig) => client.query<{ process: string }>({ ...query, query_timeout: probeMs } as pg.QueryConfig);
  const processOf = async () => (await ask(one, { name, text })).rows[0]?.process;
  try {
    const first = await processOf();
    // A pooler assigns the process that was used last, so `other` occupies it, and the statement runs on another one.
    await ask(other, { text: 'begin' });
    const second = await processOf();
    await ask(other, { text: 'commit' });
    return second !== first;
  } catch (error) {
    await ask(other, { text: 'rollback' });
    if ((error as pg.DatabaseError).code === '26000') return false;
    throw error;
  }
}

class TransactionPoolerError extends Error {
  constructor(setting: string) {
    const remedy =
      setting === 'DATABASE_URL'
        ? 'Set DATABASE_DIRECT_URL to PostgreSQL itself, for what a session has to keep, or set the pool_mode of the pooler to session.'
        : 'Point it to PostgreSQL itself.';
    super(`${setting} points to a pooler in transaction mode, which cannot keep tenants apart by the settings of a session. ${remedy}`);
  }
}

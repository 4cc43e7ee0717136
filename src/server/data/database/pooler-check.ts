import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/**
 * Throws for a pooler that assigns a connection per transaction. The tenant and the names of prepared statements belong to a session: behind such a pooler another
 * caller would act with this one's tenant. Two connections are queried in turns; a session of its own keeps its settings, statements and process throughout.
 */
export async function refuseTransactionPooler([one, other]: readonly [pg.ClientBase, pg.ClientBase]): Promise<void> {
  const mark = randomBytes(8).toString('hex');
  const ask = async (client: pg.ClientBase, text: string) => (await client.query<{ value: string }>(text)).rows[0]?.value;
  const processOf = (client: pg.ClientBase) => ask(client, 'select pg_backend_pid()::text as value');
  try {
    const first = await processOf(one);
    await one.query({ name: `probe_${mark}`, text: 'select 1' });
    await one.query(`set marquee.probe = '${mark}'`);
    // While `other` is inside a transaction it occupies a server process, which behind a pooler may be the one that `one` has used.
    await other.query('begin');
    const second = await processOf(other);
    const isKept =
      first !== second &&
      (await processOf(one)) === first &&
      (await ask(one, "select current_setting('marquee.probe', true) as value")) === mark &&
      (await ask(one, `select count(*)::text as value from pg_prepared_statements where name = 'probe_${mark}'`)) === '1';
    await other.query('commit');
    const isKeptFromOther = ((await ask(other, "select current_setting('marquee.probe', true) as value")) ?? '') !== mark;
    if (!isKept || !isKeptFromOther) throw new TransactionPooler();
    await one.query(`deallocate probe_${mark}; reset marquee.probe`);
  } catch (error) {
    // A statement that is missing, or exists already, shows that another caller's process answered.
    throw /^(26000|42P05)$/.test((error as pg.DatabaseError).code ?? '') ? new TransactionPooler() : error;
  }
}

class TransactionPooler extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a pooler in transaction mode, which would let one tenant speak as another: set its pool_mode to session (PgBouncer), or let DATABASE_URL lead to PostgreSQL itself.',
    );
  }
}

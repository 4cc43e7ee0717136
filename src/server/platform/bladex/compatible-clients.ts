import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

const topic = 'client-compatibility';

interface ClientChange {
  readonly clientId: string;
  readonly isCompatible: boolean;
}

/** Registries of this process by database: a change takes effect here before its reply is sent, and on other replicas with the signal. */
const registries = new WeakMap<Database, Set<CompatibleClients>>();

/** Announces a client's compatibility after its row was written; takes effect with the commit, on every replica. */
export function publishClientCompatibility(db: Database, clientId: string, isCompatible: boolean): Promise<void> {
  const change: ClientChange = { clientId, isCompatible };
  db.afterCommit(() => {
    for (const registry of registries.get(db) ?? []) registry.apply(change);
  });
  return db.signal(topic, JSON.stringify(change));
}

/** Client applications that use the BladeX-compatible API, in memory so that a test costs no query. */
export class CompatibleClients {
  private ids: Set<string> = new Set();
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly db: Database) {
    registries.set(db, (registries.get(db) ?? new Set()).add(this));
    // Signals of several servers arrive in any order, so each makes this server read the table; a read that fails is repeated by the next regular one.
    db.onSignal(topic, () => void this.read().catch(() => undefined));
  }

  /** Reads the clients: on start, after a signal, and regularly in case one was missed. */
  read(): Promise<void> {
    const reading = this.reading.then(() => this.load());
    this.reading = reading.catch(() => undefined);
    return reading;
  }

  private async load(): Promise<void> {
    const rows = await this.db.asPlatform('loads compatible clients on every replica', () =>
      queryRows<{ id: string }>(this.db, sql`select client_id as id from client where compatibility = 'bladex' and is_deleted = 0 and status = 1`),
    );
    this.ids = new Set(rows.map(({ id }) => id));
  }

  /** True if at least one client is compatible. */
  get any(): boolean {
    return this.ids.size > 0;
  }

  has(clientId: string): boolean {
    return this.ids.has(clientId);
  }

  apply({ clientId, isCompatible }: ClientChange): void {
    if (isCompatible) this.ids.add(clientId);
    else this.ids.delete(clientId);
  }
}

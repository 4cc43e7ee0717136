import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of a test's own on a PostgreSQL server. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database on the server. */
export async function ownDatabase(server: string): Promise<OwnDatabase> {
  const name = `marquee_test_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name}`);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: async () => void (await runOn(server, `drop database if exists ${name} with (force)`)),
  };
}

/** Runs one statement on a connection of its own; returns its rows. */
export async function runOn(url: string, text: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, parameters)).rows;
  } finally {
    await client.end();
  }
}

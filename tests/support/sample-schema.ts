import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';

/** Database of another program, with the fields of its data source on the wire. */
export interface SampleDatabase {
  readonly source: Readonly<Record<string, unknown>>;
  run(statement: string): Promise<void>;
  drop(): Promise<void>;
}

const name = () => `sample_${randomBytes(6).toString('hex')}`;

/** Creates a database on `TEST_MYSQL_URL`. */
export async function mysqlSample(server: URL): Promise<SampleDatabase> {
  const database = name();
  const connection = await mysql.createConnection({ uri: server.href, multipleStatements: true });
  await connection.query(`create database ${database} character set utf8mb4; use ${database}`);
  return {
    source: {
      driverClass: 'com.mysql.cj.jdbc.Driver',
      host: server.hostname,
      port: Number(server.port || 3306),
      databaseName: database,
      username: server.username,
      ...(server.password ? { password: server.password } : {}),
    },
    run: async (statement) => void (await connection.query(statement)),
    drop: async () => {
      await connection.query(`drop database ${database}`);
      await connection.end();
    },
  };
}

/** Creates a schema on `TEST_DATABASE_URL`. */
export async function postgresSample(server: URL): Promise<SampleDatabase> {
  const schema = name();
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(`create schema ${schema}; set search_path to ${schema}`);
  return {
    source: {
      driverClass: 'org.postgresql.Driver',
      host: server.hostname,
      port: Number(server.port || 5432),
      databaseName: server.pathname.slice(1) || 'postgres',
      schemaName: schema,
      username: server.username,
      ...(server.password ? { password: server.password } : {}),
    },
    run: async (statement) => void (await client.query(statement)),
    drop: async () => {
      await client.query(`drop schema ${schema} cascade`);
      await client.end();
    },
  };
}

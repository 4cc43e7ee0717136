import { describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/server/data/index.ts';
import { testDatabase } from '../../support/test-database.ts';

const migrations = `
  create table note (like base_row including all, words varchar(64) not null);
  call own_by_tenant('note');
  create unique index on note (tenant_id, words) where is_deleted = 0;
  create table rule (like base_row including all, words varchar(64) not null);
  call own_by_platform('rule');
`;
const acme = { tenantId: 'acme' };
const rival = { tenantId: 'rival' };

const words = async (db: Database) => (await db.sql.execute<{ words: string }>(sql`select words from note order by words`)).map((row) => row.words);
const add = (db: Database, text: string) => db.sql.execute(sql`insert into note (words) values (${text})`);

async function twoTenants(): Promise<Database> {
  const db = await testDatabase({ migrations });
  await db.write(acme, () => add(db, 'ours'));
  await db.write(rival, () => add(db, 'theirs'));
  return db;
}

describe('tenants', () => {
  test('a query without a where returns only the rows of the tenant', async () => {
    const db = await twoTenants();
    expect(await db.read(acme, () => words(db))).toEqual(['ours']);
    expect(await db.read(rival, () => words(db))).toEqual(['theirs']);
    expect(await db.read({ tenantId: 'nobody' }, () => words(db))).toEqual([]);
  });

  test('a row cannot be written into, moved to or taken from another tenant', async () => {
    const db = await twoTenants();
    const foreign = (statement: ReturnType<typeof sql>) => db.write(acme, () => db.sql.execute(statement));
    await expect(foreign(sql`insert into note (words, tenant_id) values ('forged', 'rival')`)).rejects.toThrow();
    await expect(foreign(sql`update note set tenant_id = 'rival'`)).rejects.toThrow();
    await foreign(sql`update note set words = 'seized' where words = 'theirs'`);
    await foreign(sql`delete from note where words = 'theirs'`);
    expect(await db.read(rival, () => words(db))).toEqual(['theirs']);
  });

  test('platform work sees every tenant, and a tenant again inside it only its own', async () => {
    const db = await twoTenants();
    const seen = await db.asPlatform('a test', async () => [await words(db), await db.read(rival, () => words(db)), await words(db)]);
    expect(seen).toEqual([['ours', 'theirs'], ['theirs'], ['ours', 'theirs']]);
  });

  test('platform work inside a write is part of it, and what follows is narrowed again', async () => {
    const db = await twoTenants();
    await db.write(acme, async () => {
      expect(await db.asPlatform('a test', () => words(db))).toEqual(['ours', 'theirs']);
      expect(await words(db)).toEqual(['ours']);
    });
  });

  test('statements asked at the same time as platform work stay narrowed', async () => {
    const db = await twoTenants();
    const narrow = await db.write(acme, async () => {
      const asked = Array.from({ length: 10 }, (_, turn) => (turn % 2 ? db.asPlatform('a test', () => words(db)) : words(db)));
      return (await Promise.all(asked)).filter((_, turn) => turn % 2 === 0);
    });
    expect(narrow).toEqual(Array.from({ length: 5 }, () => ['ours']));
  });

  test('platform work must say whose a new row is', async () => {
    const db = await twoTenants();
    await expect(db.asPlatform('a test', () => add(db, 'nobody’s'))).rejects.toThrow();
  });

  test('rows of the platform are read by all and written by its own tenant alone', async () => {
    const db = await twoTenants();
    const write = (tenantId: string) => db.write({ tenantId }, () => db.sql.execute(sql`insert into rule (words) values (${tenantId})`));
    await write('000000');
    await expect(write('acme')).rejects.toThrow();
    expect(await db.read(acme, () => db.sql.execute(sql`select words from rule`))).toEqual([{ words: '000000' }]);
  });

  test('a table without an owner is closed to tenants', async () => {
    const db = await testDatabase({ migrations: 'create table secret (id bigint)' });
    await expect(db.read(acme, () => db.sql.execute(sql`select * from secret`))).rejects.toThrow();
  });

  test('a text that is no tenant id is refused before any SQL', async () => {
    const db = await testDatabase();
    await expect((async () => db.read({ tenantId: "x'; reset role; --" }, async () => 1))()).rejects.toThrow('Not a tenant id');
  });
});

describe('transactions', () => {
  test('a failed write leaves nothing, and its hooks stay silent', async () => {
    const db = await twoTenants();
    let told = 0;
    const failing = db.write(acme, async () => {
      db.afterCommit(() => told++);
      await add(db, 'lost');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(told).toBe(0);
    expect(await db.read(acme, () => words(db))).toEqual(['ours']);
  });

  test('hooks run after the commit, once, and may ask the database', async () => {
    const db = await twoTenants();
    const seen = new Promise<string[]>((resolve) => {
      void db.write(acme, async () => {
        db.afterCommit(() => resolve(db.read(rival, () => words(db))));
        await db.write(rival, () => add(db, 'more'));
      });
    });
    expect(await seen).toEqual(['more', 'theirs']);
  });

  test('an inner write that fails is rolled back alone', async () => {
    const db = await twoTenants();
    let told = 0;
    await db.write(acme, async () => {
      await add(db, 'before');
      const inner = db.write(acme, async () => {
        db.afterCommit(() => told++);
        await add(db, 'inner');
        await add(db, 'ours');
      });
      await expect(inner).rejects.toThrow();
      await add(db, 'after');
    });
    expect(await db.read(acme, () => words(db))).toEqual(['after', 'before', 'ours']);
    expect(told).toBe(0);
  });

  test('a statement whose failure was swallowed cannot end in a commit that keeps nothing', async () => {
    const db = await twoTenants();
    const swallowing = db.write(acme, async () => {
      await add(db, 'first');
      await add(db, 'ours').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('was rolled back');
  });

  test('a read refuses statements that change something', async () => {
    const db = await twoTenants();
    await expect(db.read(acme, () => add(db, 'sneaked'))).rejects.toThrow();
  });

  test('a write inside a read has its own transaction', async () => {
    const db = await twoTenants();
    const seen = await db.read(acme, async () => {
      await Promise.all(['one', 'two', 'three'].map((text) => db.write(acme, () => add(db, text))));
      return words(db);
    });
    expect(seen).toEqual(['one', 'ours', 'three', 'two']);
  });

  test('a statement that outlives its transaction is refused', async () => {
    const db = await twoTenants();
    let late: Promise<unknown> = Promise.resolve();
    await db.write(acme, async () => {
      late = new Promise((resolve) => setTimeout(resolve, 30)).then(() => add(db, 'late'));
    });
    await expect(late).rejects.toMatchObject({ cause: { message: expect.stringContaining('has ended') } });
  });

  test('asking outside of any work is refused', async () => {
    const db = await testDatabase();
    expect(() => db.sql).toThrow('outside of read, write and asPlatform');
  });

  test('nothing that began in a database is carried on once it is closed', async () => {
    const db = await testDatabase();
    let closed = () => {};
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    let late: Promise<unknown> = Promise.resolve();
    await db.read(acme, async () => {
      expect(db.scope).toEqual(acme);
      late = closing.then(() => db.scope);
    });
    await db.close();
    closed();
    await expect(late).rejects.toThrow('outside of read, write and asPlatform');
  });

  test('nested work never needs a second connection', async () => {
    const db = await testDatabase({ migrations, poolSize: 1 });
    const nested = await db.write(acme, async () => {
      await add(db, 'outer');
      return db.read(acme, () => db.asPlatform('a test', () => db.write(acme, () => db.read(acme, () => words(db)))));
    });
    expect(nested).toEqual(['outer']);
    expect(await db.read(acme, () => db.read(acme, () => db.write(acme, () => words(db))))).toEqual(['outer']);
  });

  test('many concurrent requests neither block each other nor see each other’s rows', async () => {
    const db = await testDatabase({ migrations, poolSize: 3 });
    const request = async (turn: number) => {
      const scope = { tenantId: `t${turn % 5}` };
      await db.write(scope, async () => {
        await add(db, `${scope.tenantId}-${turn}`);
        if (turn % 3 === 0) await db.asPlatform('a test', () => words(db));
        if (turn % 7 === 0) await expect(db.write(scope, () => add(db, `${scope.tenantId}-${turn}`))).rejects.toThrow();
      });
      const seen = await db.read(scope, async () => (await Promise.all([words(db), db.read(scope, () => words(db))])).flat());
      return seen.every((text) => text.startsWith(`${scope.tenantId}-`)) && seen.includes(`${scope.tenantId}-${turn}`);
    };
    expect(await Promise.all(Array.from({ length: 60 }, (_, turn) => request(turn)))).toEqual(Array.from({ length: 60 }, () => true));
  });
});

describe('values', () => {
  test('times are read and given in the deployment’s zone', async () => {
    const db = await testDatabase({ migrations, timeZone: 'America/New_York' });
    await db.write(acme, () => db.sql.execute(sql`insert into note (words, create_time) values ('x', '2026-07-01 08:30:00')`));
    const [row] = await db.read(acme, () =>
      db.sql.execute<{ text: string; utc: string }>(sql`select create_time as text, create_time at time zone 'utc' as utc from note`),
    );
    expect(row?.text).toMatch(/^2026-07-01 08:30:00/);
    expect(row?.utc).toMatch(/^2026-07-01 12:30:00/);
  });

  test('new ids are 64-bit texts that grow with time', async () => {
    const db = await testDatabase();
    const id = () => db.asPlatform('a test', async () => (await db.sql.execute<{ id: string }>(sql`select next_id() as id`))[0]?.id ?? '');
    const first = await id();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(BigInt(await id()) > BigInt(first)).toBe(true);
    expect(first).toMatch(/^\d{15,19}$/);
  });
});

describe('signals', () => {
  test('reach their listeners after the commit and never after a rollback', async () => {
    const db = await twoTenants();
    const heard: string[] = [];
    const stop = db.onSignal('menu', (payload) => heard.push(payload));
    await db.write(acme, async () => {
      await db.signal('menu', 'kept');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(heard).toEqual([]);
    });
    await expect(
      db.write(acme, async () => {
        await db.signal('menu', 'lost');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await db.signal('menu', 'at once');
    await db.signal('other', 'elsewhere');
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['kept', 'at once']);
    stop();
    await db.signal('menu', 'after');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toEqual(['kept', 'at once']);
  });
});

import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { EmbeddedStatements } from '../../../src/server/data/embedded/embedded-statements.ts';

const often = 6;
const parsers = { 20: (value: string) => value };
let engine: PGlite;
let statements: EmbeddedStatements;

beforeAll(async () => {
  engine = await PGlite.create();
  statements = new EmbeddedStatements(engine, parsers);
}, 60_000);
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.exec('drop table if exists note; create table note (id bigint primary key, title text, tags bigint[], details jsonb, done boolean)');
  statements.reset();
});

const kept = async () => (await engine.query<{ name: string }>(`select name from pg_prepared_statements where name like 'kept%'`)).rows.length;

test('a repeated statement returns the same result, and is prepared from then on', async () => {
  const before = await kept();
  const insert = 'insert into note values ($1, $2, $3, $4, $5) returning *';
  for (let id = 1; id <= often; id += 1) {
    const [row] = await statements.query(insert, [id, id % 2 ? 'Größe 大' : null, [1, 2], { a: [id] }, id > 3], 'objects');
    expect(row).toEqual({ id: String(id), title: id % 2 ? 'Größe 大' : null, tags: [1, 2], details: { a: [id] }, done: id > 3 });
  }
  for (let time = 0; time < often; time += 1) expect(await statements.query('select id, title from note where id = $1', [2], 'arrays')).toEqual([['2', null]]);
  for (let time = 0; time < often; time += 1) expect(await statements.query('update note set done = true where id = $1', [1], 'objects')).toEqual([]);
  expect((await kept()) - before).toBe(3);
});

test('a failing statement reports its error as before, and the next one is executed', async () => {
  const insert = 'insert into note (id) values ($1)';
  await statements.query(insert, [1], 'objects');
  for (let time = 0; time < often; time += 1)
    await expect(statements.query(insert, [1], 'objects')).rejects.toMatchObject({ code: '23505', constraint: 'note_pkey' });
  expect(await statements.query('select count(*)::integer as count from note', [], 'objects')).toEqual([{ count: 1 }]);
});

test('a statement is prepared again after the columns of its table have changed', async () => {
  const ask = () => statements.query('select * from note', [], 'objects');
  await statements.query('insert into note (id) values (1)', [], 'objects');
  for (let time = 0; time < often; time += 1) expect(await ask()).toHaveLength(1);
  await engine.exec('alter table note add column more integer default 7');
  await expect(ask()).rejects.toMatchObject({ code: '0A000' });
  for (let time = 0; time < often; time += 1) expect(await ask()).toMatchObject([{ id: '1', more: 7 }]);
});

test('changing a table clears prepared statements first, without visible effects', async () => {
  const ask = () => statements.query('select * from note', [], 'objects');
  for (let time = 0; time < often; time += 1) await ask();
  statements.reset();
  await engine.exec('alter table note drop column title');
  for (let time = 0; time < often; time += 1) expect(await ask()).toEqual([]);
});

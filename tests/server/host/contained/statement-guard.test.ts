import { describe, expect, test } from '@rstest/core';
import { StatementGuard, StatementRefusedError } from '../../../../src/server/host/contained/statement-guard.ts';

async function guard(...migrations: string[]): Promise<StatementGuard> {
  const created = new StatementGuard();
  for (const text of migrations) await created.readMigration(text);
  return created;
}

const bell = `create table bell (like tenant_row including all, name varchar(20) not null default '', rings integer not null default 0);
  call own_by_tenant('bell'); call sort_by('bell', 'rings'); create unique index bell_name on bell (tenant_id, lower(name)) where is_deleted = 0;`;

describe('statements of a contained plugin', () => {
  test.each([
    'select * from bell',
    'select "bell"."id", count(*) over () from "bell" as b where lower(name) like $1 order by id limit 10 for update',
    'insert into bell (name) values ($1) on conflict do nothing returning id',
    'update bell set rings = rings + 1, name = coalesce($1, name) where id = any($2::bigint[])',
    'delete from public.bell where create_time < now() - make_interval(days => 3)',
    'with rung as (select * from bell), most as (select max(rings) as rings from rung) select r.* from rung r join most m on m.rings = r.rings',
    'with few as (select id from bell limit 3) delete from bell using few where bell.id = few.id returning bell.name',
    'select sum(rings) filter (where status = 1) from bell union all select 1',
    'select x from unnest($1::text[]) as t(x)',
  ])('allowed: %s', async (text) => {
    await (await guard(bell)).allowedText(text);
  });

  test.each([
    'select * from sys_user',
    'select * from bell, sys_user',
    'select (select max(id) from sys_user) from bell',
    'select * from information_schema.tables',
    'select * from pg_catalog.bell',
    'select * from other.public.bell',
    'table sys_user',
    'with bells as (select * from sys_user) select * from bells',
    'with sys_user as (select * from sys_user) select * from sys_user',
    'select * from (with sys_user as (select 1) select 1) a, sys_user',
    'with sys_user as (select 1), b as (delete from sys_user returning 1) select * from b',
    'with recursive r as (select 1 union all select * from r) select * from r',
    "select set_config('app.tenant', 't00002', true)",
    "select pg_catalog.set_config('app.tenant', 't00002', true)",
    "select * from query_to_xml('select * from sys_user', true, true, '')",
    "select pg_read_file('/etc/passwd')",
    'select pg_sleep(1000)',
    "select repeat('x', 1000000000)",
    'select public.lower(name) from bell',
    'select * into taken from bell',
    'insert into bell (name) select password from sys_user',
    'insert into sys_user (account) values ($1)',
    'update bell set name = password from sys_user',
    'delete from bell using sys_user',
    'with gone as (delete from bell returning name) select * from gone',
    'select 1; drop table sys_user',
    'drop table bell',
    'do $$ begin perform 1; end $$',
    'reset role',
    'set local role postgres',
    "copy bell to program 'id'",
    'explain analyze delete from sys_user',
    'lock table sys_user',
    'truncate bell',
    'prepare p as select * from sys_user',
    'merge into bell using sys_user on true when matched then delete',
    'not sql',
    '',
  ])('refused: %s', async (text) => {
    await expect((await guard(bell)).allowedText(text)).rejects.toBeInstanceOf(StatementRefusedError);
  });

  test('the answer of a statement is bounded, whether it reads or writes', async () => {
    const created = await guard(bell);
    const bounds = 'where bounded_row(answer::text) limit 1001';
    expect(await created.allowedText('select * from bell;')).toBe(`select * from (select * from bell\n) answer ${bounds}`);
    expect(await created.allowedText('select 1 -- one')).toBe(`select * from (select 1 -- one\n) answer ${bounds}`);
    expect(await created.allowedText('delete from bell returning id')).toBe(`with answer as (delete from bell returning id\n) select * from answer ${bounds}`);
    expect(await created.allowedText('delete from bell')).toBe('delete from bell');
  });

  test('a refused statement stays refused, and tells what it must not do', async () => {
    const created = await guard(bell);
    for (const _ of [1, 2]) await expect(created.allowedText('select * from sys_user')).rejects.toThrow('sys_user');
  });
});

describe('conditions of a contained plugin', () => {
  test.each([
    '"bell"."rings" > $1',
    'rings = 1 or rings = 2',
    'exists (select from bell b where b.id = bell.id)',
    "name = ') or ('",
    'rings > 1 /* few */',
    'rings > 1 -- few',
  ])('allowed: %s', async (text) => {
    await (await guard(bell)).assertCondition(text);
  });

  test.each([
    'rings = 1) or (true',
    'rings = 1) or condition(true',
    'true) --',
    'true) --\n',
    'true /*',
    'true), (select account from sys_user',
    'true, true',
    'true) over (partition by rings',
    'true) filter (where true',
    'distinct rings',
    'rings order by rings',
    'variadic array[rings]',
    'true)::text || lower(name',
    'true) as x from bell where (true',
    'true); delete from bell where (true',
    'exists (select from sys_user)',
    "set_config('app.tenant', '', false) = ''",
    '',
  ])('refused: %s', async (text) => {
    await expect((await guard(bell)).assertCondition(text)).rejects.toBeInstanceOf(StatementRefusedError);
  });
});

describe('migrations of a contained plugin', () => {
  test.each([
    `${bell} create index bell_rings on bell (tenant_id, rings)`,
    `${bell} alter table bell add column tone integer not null default 440, drop column rings, add check (tone > 0)`,
    `${bell} create table clapper (like tenant_row including all, bell_id bigint not null references bell (id)); insert into bell (name) values ('one')`,
  ])('allowed: %s', async (text) => {
    await guard(text);
  });

  test.each([
    'create table if not exists sys_user (id bigint)',
    'create table taken (like sys_user including all)',
    'create table taken () inherits (sys_user)',
    'create table taken as select * from sys_user',
    'create table public.taken (id bigint)',
    'create temp table sys_user (id bigint)',
    'create table taken (remark text)',
    'create table taken (facts jsonb)',
    'create table taken (content bytea)',
    'create table taken (names varchar(20)[])',
    'create table taken (name varchar)',
    'create table taken (name varchar(30000))',
    `${bell} alter table bell alter column name type text`,
    `${bell} alter table bell add column remark text`,
    'create table taken partition of api_log for values in (1)',
    'create table taken (id bigint references sys_user (id))',
    'alter table sys_user add column taken text',
    'create index on sys_user (account)',
    "insert into sys_user (account) values ('x')",
    "call own_by_tenant('sys_user')",
    "call count_rows('bell', 'tenant')",
    'drop table sys_user',
    'create function f() returns int language sql as $$ select 1 $$',
    'create view v as select * from sys_user',
    'do $$ begin end $$',
    'grant all on sys_user to marquee_tenant',
    'create extension dblink',
    `${bell} alter table bell disable row level security`,
    `${bell} alter table bell owner to marquee_tenant`,
    `${bell} create trigger t after insert on bell execute function f()`,
    `${bell} create policy p on bell using (true)`,
    `${bell} create index bell_x on bell ((pg_sleep(9)))`,
    `${bell} alter table bell rename to sys_user`,
  ])('refused: %s', async (text) => {
    await expect(guard(text)).rejects.toBeInstanceOf(StatementRefusedError);
  });
});

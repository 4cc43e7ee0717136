import { expect, test } from '@rstest/core';
import earlier from './earlier-migrations.json' with { type: 'json' };
import { offlineStatements } from './online-migrations.ts';
import { filesUnder } from './source.ts';

test('migrations neither hold up nor break servers of the previous version, except those written before this rule', async () => {
  const files = filesUnder('src', ['.sql']);
  const found = await Promise.all(files.map(async (file) => ({ path: file.path, statements: await offlineStatements(file) })));
  const offline = found.filter(({ statements }) => statements.length > 0);
  expect(offline.filter(({ path }) => !earlier.includes(path))).toEqual([]);
  expect(earlier.filter((path) => !offline.some((one) => one.path === path))).toEqual([]);
});

const findings = async (text: string) => (await offlineStatements({ path: 'lamp/0002.sql', text })).map(({ remedy }) => remedy);

test('a statement on a table that servers use is found with its remedy', async () => {
  const remedies = {
    'create index lamp_name on lamp (name)': 'build the index with',
    'create index concurrently on lamp (name)': 'name the index',
    'create index concurrently if not exists a on lamp (name); alter table lamp add b int': 'put statements with “concurrently”',
    "call sort_by('lamp', 'name')": 'this reads or indexes all rows',
    'drop table lamp': 'the previous version still uses it',
    'alter table lamp drop column name': 'the previous version still uses it',
    'alter table lamp rename column name to title': 'the previous version uses the old name',
    'alter table lamp alter name type text': 'this rewrites the table: add a column of the new type',
    'alter table lamp add size int not null': 'this reads all rows, and the previous',
    'alter table lamp alter size set not null': 'this reads all rows, and the previous',
    'alter table lamp add token uuid default gen_random_uuid()': 'this rewrites the table: add the column',
    'alter table lamp add twice int generated always as (size * 2) stored': 'this rewrites the table: add the column',
    'alter table lamp add check (size > 0)': 'this reads all rows under a lock',
    'alter table lamp add size int check (size > 0)': 'this reads all rows under a lock',
    'alter table lamp add foreign key (shelf) references shelf (id)': 'this reads all rows under a lock',
    'alter table lamp add unique (name)': 'this builds an index under a lock',
    'update lamp set size = 1': 'this locks all rows',
    'delete from lamp where size = 1': 'this locks all rows',
  };
  for (const [text, remedy] of Object.entries(remedies))
    expect({ text, found: await findings(text) }).toEqual({ text, found: [expect.stringContaining(remedy)] });
});

test('a statement that neither waits nor breaks is allowed, and every statement on a table of the same file', async () => {
  for (const text of [
    'create index concurrently if not exists lamp_name on lamp (name); drop index concurrently if exists lamp_size',
    'alter table lamp add size int, add lit boolean not null default false, add room bigint references room (id)',
    'alter table lamp add constraint sized check (size > 0) not valid',
    'alter table lamp validate constraint sized',
    'alter table lamp add constraint named unique using index lamp_name',
    'alter table lamp alter size drop not null, alter size set default 3',
    '-- Few rows: one for each deployment.\nupdate lamp_setting set size = 1',
    "create table bulb (like base_row including all, name text); call own_by_tenant('bulb'); create index on bulb (name); alter table bulb add unique (name)",
  ])
    expect({ text, found: await findings(text) }).toEqual({ text, found: [] });
});

test('a finding names the line of its statement', async () => {
  const text = '-- A page of text.\nalter table lamp add size int;\n\n-- Not needed.\ndrop table lamp;\n';
  expect((await offlineStatements({ path: 'lamp/0002.sql', text })).map(({ line }) => line)).toEqual([5]);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { dependencyIds } from '#shared/plugin-versions';
import { migrate, writeTemplate } from '../../src/server/data/index.ts';
import { kernelMigrations } from '../../src/server/host/kernel-migrations.ts';
import { type SourceStatements, sourceStatements } from '../support/sql-statements.ts';

/** Statements whose tables or columns are only known at run time, by file, with their number. */
const dynamic: Readonly<Record<string, number>> = {
  'src/plugins/access/server/role-scopes.ts': 2,
  'src/plugins/access/server/scope-rule-routes.ts': 2,
  'src/plugins/job/server/processors/sql-statement.ts': 2,
  'src/plugins/organization/server/accounts.ts': 3,
  'src/plugins/region/server/regions.ts': 1,
  'src/plugins/sms/server/deliveries.ts': 1,
  'src/plugins/storage/server/attachments.ts': 2,
  'src/plugins/storage/server/orphans.ts': 2,
  'src/plugins/task/server/tasks.ts': 2,
  'src/plugins/tenant/server/purge.ts': 1,
  'src/server/platform/bladex/display-names.ts': 1,
  'src/server/data/repository/page-bookmarks.ts': 1,
  'src/server/data/repository/page-statements.ts': 1,
  'src/server/data/repository/record-uses.ts': 3,
  'src/server/data/repository/tree-repository.ts': 3,
  'src/server/data/schema/reset-migrations.ts': 3,
  'src/server/host/reseal-secrets.ts': 2,
  'src/server/data/search/typed-matches.ts': 2,
  'src/server/platform/evidence/sealed-table.ts': 5,
  'src/server/platform/identity/sign-in/expired-rows.ts': 1,
  'src/server/platform/personal/person-erasure.ts': 6,
  'src/server/platform/personal/person-export.ts': 2,
  'src/server/platform/references/related-lists.ts': 2,
};

let engine: PGlite;
let source: SourceStatements;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-sql-'));
  const image = join(folder, 'database.gz');
  await writeTemplate(image, (db) => migrate(db, plugins, kernelMigrations));
  engine = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(readFileSync(image))]) });
  rmSync(folder, { recursive: true });
  source = sourceStatements();
}, 180_000);

afterAll(() => engine.close());

test('every statement of the source fits the migrated tables and returns the fields of its row type', async () => {
  const problems: string[] = [];
  const failed: Record<string, number> = {};
  for (const { file, line, text, fields = [] } of source.statements) {
    try {
      const { resultFields } = await engine.describeQuery(text);
      const columns = new Set(resultFields.map(({ name }) => name));
      const missing = fields.filter((field) => !columns.has(field));
      if (missing.length > 0) problems.push(`${file}:${line} returns no ${missing.join(', ')}`);
    } catch (error) {
      failed[file] = (failed[file] ?? 0) + 1;
      if (!(file in dynamic)) problems.push(`${file}:${line} ${(error as Error).message}: ${text.replace(/\s+/g, ' ')}`);
    }
  }
  expect(source.statements.length).toBeGreaterThan(500);
  expect(problems).toEqual([]);
  expect(failed).toEqual(dynamic);
});

test('a plugin names only tables of its own, of the kernel and of its dependencies', async () => {
  const owners = new Map(
    plugins.flatMap(({ plugin, migrations }) =>
      Object.values(migrations).flatMap((text) =>
        [...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table = '']) => [table, plugin.id] as const),
      ),
    ),
  );
  const declared = new Map(
    plugins.map(({ plugin: { id, dependencies = [], optionalDependencies: wants = [] } }) => [id, new Set([id, ...dependencyIds(dependencies), ...wants])]),
  );
  const texts = [...source.statements.map(({ file, text }) => ({ file, text })), ...source.unusedTemplates];
  const foreign = texts.flatMap(({ file, text }) => {
    const reader = /^src\/plugins\/([^/]+)\//.exec(file)?.[1] ?? 'kernel';
    const tables = [...text.matchAll(/\b(?:from|join|update|into|using)\s+"?(\w+)/gi)].map(([, table = '']) => table);
    return tables.filter((table) => owners.has(table) && !declared.get(reader)?.has(owners.get(table) ?? '')).map((table) => `${reader}: ${table}`);
  });
  expect(owners.size).toBeGreaterThan(50);
  expect([...new Set(foreign)].sort()).toEqual([]);
});

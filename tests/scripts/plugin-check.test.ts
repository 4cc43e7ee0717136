import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { blocksOf } from '../docs/pages.ts';
import { ProjectCopy } from '../support/project-copy.ts';

let copy: ProjectCopy;
/** Folder with a plugin that is neither in the tree nor in the project. */
const outside = mkdtempSync(join(tmpdir(), 'marquee-outside-'));

beforeAll(() => {
  copy = new ProjectCopy();
  const guide = { text: readFileSync('docs/writing-a-plugin.md', 'utf8') };
  for (const { path, text } of blocksOf(guide)) if (path) copy.write(path, text);
  cpSync('examples/loyalty', join(outside, 'loyalty'), { recursive: true, filter: (path) => !/[\\/](dist|node_modules)$/.test(path) });
});
afterAll(() => {
  copy.discard();
  rmSync(outside, { recursive: true, force: true });
});

/** Returns the findings that the command has printed: places, rules and reasons, each followed by its page. */
const findingsIn = (output: string) =>
  [...output.matchAll(/^(\S+):(\d+): \[([\w-]+)\] (.*)$/gm)].map(([, path, line, rule, reason]) => ({ path, line: Number(line), rule, reason }));

test('the plugin of the guide passes, and so does one in a folder outside of the project', { timeout: 300_000 }, () => {
  expect(copy.runPlugin(['check', 'lamp', join(outside, 'loyalty')])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('lamp, loyalty: passed.'),
    stderr: '',
  });
});

test('a changed migration of a checked plugin is judged at once', { timeout: 300_000 }, () => {
  const path = 'src/plugins/lamp/server/migrations/0001-lamps.sql';
  const text = copy.read(path);
  copy.write(path, text.replace('remark varchar(255)', 'remark varchar(20)'));
  const { status, stdout } = copy.runPlugin(['check', 'lamp']);
  copy.write(path, text);
  expect(status).toBe(1);
  expect(findingsIn(stdout).map(({ rule }) => rule)).toContain('table-columns');
});

test('each finding has a rule, a place, a reason and a page; --fix repairs what needs no decision and names it', { timeout: 300_000 }, () => {
  const [contract, server, tests] = ['contract.ts', 'server/plugin.ts', 'tests/server/loyalty.test.ts'].map((path) => join(outside, 'loyalty', path));
  const change = (file = '', from: string | RegExp, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  change(contract, "['积分', 'Points'], minimum: 1, sort: true", "['积分', 'Points'],minimum: 1, sort: true, maximum: 'many'");
  change(server, "dependencies: ['task'],", 'dependencies: [],');
  change(server, 'awards.settle(input.ids)', '({ awards: 0, points: null as never, ids: input.ids })');
  change(tests, "toBe('0')", "toBe('7')");
  const { status, stdout, stderr } = copy.runPlugin(['check', join(outside, 'loyalty'), '--fix']);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toMatch(/^fixed .*loyalty\/server\/plugin\.ts \(dependencies\)$/m);
  expect(stdout).toMatch(/^fixed .*loyalty\/contract\.ts \(format, lint\)$/m);
  expect(readFileSync(server ?? '', 'utf8')).toContain("dependencies: ['task'],");
  const found = findingsIn(stdout);
  expect(found.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['types', 'own-test']));
  expect(found.find(({ rule }) => rule === 'types')).toMatchObject({
    path: expect.stringContaining('loyalty/contract.ts'),
    line: 17,
    reason: expect.stringContaining('TS'),
  });
  expect(found.filter(({ rule }) => rule === 'own-test').map(({ path }) => path)).toContainEqual(
    expect.stringContaining('loyalty/tests/server/loyalty.test.ts'),
  );
  expect(stdout).toContain('docs/plugin-rules.md#types');
  expect(stdout).toMatch(/loyalty: \d+ findings\. \(/);
  expect(found.filter(({ rule }) => rule === 'format' || rule === 'dependencies')).toEqual([]);
});

test('a reply that a rule about contracts expects otherwise is shown with its code and message, at the declaration of its call', { timeout: 300_000 }, () => {
  const path = 'src/plugins/lamp/server/plugin.ts';
  const text = copy.read(path);
  copy.write(
    path,
    text
      .replace('repositoryOf(context.db, Lamp)', 'repositoryOf(context.db, Lamp, { complete: () => { throw new ApiError(problems.conflict); } })')
      .replace("from '#server';", "from '#server';\nimport { problems } from '#shared/errors';")
      .replace('{ crudRoutes', '{ ApiError, crudRoutes'),
  );
  const { status, stdout } = copy.runPlugin(['check', 'lamp']);
  copy.write(path, text);
  expect(status).toBe(1);
  const [screen] = findingsIn(stdout).filter(({ rule }) => rule === 'generic-screen');
  expect(screen).toMatchObject({ path: 'src/plugins/lamp/contract.ts', line: expect.any(Number) });
  expect(copy.read('src/plugins/lamp/contract.ts').split('\n')[(screen?.line ?? 0) - 1]).toContain('export const lamp = ');
  expect(stdout).toMatch(/code: 409, msg: \S/);
});

test('--rule judges by the rules that it names, and --failed by those that failed the last time', { timeout: 300_000 }, () => {
  expect(copy.runPlugin(['check', 'lamp', '--rule', 'nope'])).toMatchObject({ status: 1, stderr: expect.stringContaining('Rule "nope" not found.') });
  const path = 'tests/plugins/lamp/server/lamp.test.ts';
  const text = copy.read(path);
  copy.write(path, text.replace("test('a lamp that is added", "test('whoever adds a lamp"));
  const first = copy.runPlugin(['check', 'lamp', '--rule', 'test-title', '--rule', 'text-pair']);
  expect(first.stdout).toContain('test-title, text-pair of lamp: 1 finding.');
  expect(findingsIn(first.stdout)).toMatchObject([{ path, rule: 'test-title', reason: expect.stringContaining('"whoever", write a user who') }]);
  copy.write(path, text);
  expect(copy.runPlugin(['check', 'lamp', '--failed'])).toMatchObject({ status: 0, stdout: expect.stringContaining('test-title of lamp: passed.') });
});

test('each form refers to a row of its own where its reference has a number; a code that no menu declares is named with its calls', {
  timeout: 300_000,
}, () => {
  expect(copy.runPlugin(['new', 'booth', '--title', '摊位,Booths'])).toMatchObject({ status: 0 });
  const change = (path: string, ...changes: readonly (readonly [from: string, to: string])[]) =>
    copy.write(
      path,
      changes.reduce((text, [from, to]) => text.replace(from, to), copy.read(path)),
    );
  change(
    'src/plugins/booth/contract.ts',
    ['import { Id, Nullable, Text }', 'import { Id, Nullable, Reference, Text }'],
    ['import { crud, entity }', 'import { crud, entity, withoutCalls }'],
    [
      "export const booth = crud('/api/booth', Booth);",
      `export const booth = crud('/api/booth', Booth);

export const Lease = entity('lease', {
  id: Id(),
  boothId: Reference({ title: ['摊位', 'Booth'], from: { call: booth.list, paged: true }, onDelete: 'keep' }),
  remark: Nullable(Text({ title: ['备注', 'Remark'] })),
});

export const lease = withoutCalls(crud('/api/lease', Lease, { menu: 'booth' }), 'export');`,
    ],
  );
  change(
    'src/plugins/booth/server/plugin.ts',
    ['import { Booth, booth }', 'import { Booth, booth, Lease, lease }'],
    ['return { routes: [', "return { routes: [crudRoutes(lease, repositoryOf(db, Lease, { unique: [{ fields: ['boothId'] }] })), "],
  );
  change('src/plugins/booth/server/migrations/0001-booth.sql', [
    "call own_by_tenant('booth');",
    "call own_by_tenant('booth');\n\ncreate table lease (like tenant_row including all, booth_id bigint not null, remark varchar(255));\n\ncall own_by_tenant('lease');",
  ]);
  change(
    'tests/plugins/booth/samples.ts',
    [
      "rows: [{ entity: 'booth' }]",
      "references: { leased: { calls: 'booth', form: {} } }, rows: [{ entity: 'booth' }, { entity: 'lease', values: { boothId: '$booth' } }]",
    ],
    ['forms: { ', "forms: { lease: { boothId: '$leased', remark: 'Sample' }, "],
  );
  const rules = ['generic-screen', 'record-history', 'bladex-client', 'unique-code'].flatMap((rule) => ['--rule', rule]);
  expect(copy.runPlugin(['check', 'booth', ...rules])).toMatchObject({ status: 0, stderr: '' });
  change('src/plugins/booth/menus.ts', [", 'import'", '']);
  const { stdout } = copy.runPlugin(['check', 'booth', '--rule', 'unique-code']);
  expect(stdout).toContain('booth_import guards booth.booth.importTemplate, booth.booth.importPreview, booth.booth.importMapping, booth.booth.import');
});

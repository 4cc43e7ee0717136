import { expect, test } from '@rstest/core';
import { scaffold } from '../../src/plugins/codegen/server/emit/scaffold.ts';
import { judgeSource, sourceRules } from '../architecture/rules/plugin-rules.ts';
import { filesUnder } from '../architecture/source.ts';
import { contractRules } from '../contract/contract-server.ts';
import { complaintsAbout } from '../support/checked-sources.ts';
import { blocksOf, pages } from './pages.ts';

const pageOf = (path: string) => pages().find((page) => page.path === path) ?? { path, text: '' };

test('the page of the rules has a heading for each rule, and no others', () => {
  const headings = [...pageOf('plugin-rules.md').text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
  const rules = [...sourceRules.map(({ id }) => id), ...contractRules, 'types', 'format', 'lint', 'own-test'];
  expect(headings).toEqual([...new Set(headings)]);
  expect(headings.toSorted()).toEqual(rules.toSorted());
});

test('a test of the contract suites registers each rule, and the check imports the suites that have rules', () => {
  const suites = filesUnder('tests/contract').filter(({ path }) => path.endsWith('.test.ts'));
  const registered = suites.flatMap(({ path, text }) => [...text.matchAll(/ruleTest\(\s*'([\w-]+)'/g)].map(([, rule = '']) => ({ path, rule })));
  expect([...new Set(registered.map(({ rule }) => rule))].toSorted()).toEqual([...contractRules].toSorted());
  const { text = '' } = filesUnder('tests/contract').find(({ path }) => path.endsWith('checked-plugins.check.ts')) ?? {};
  const imported = [...text.matchAll(/^import '\.\/(.+)';$/gm)].map(([, file]) => `tests/contract/${file}`);
  expect(imported.toSorted()).toEqual([...new Set(registered.map(({ path }) => path))].toSorted());
});

test('the plugin of the guide obeys all rules about sources', { timeout: 240_000 }, async () => {
  const files = blocksOf(pageOf('writing-a-plugin.md')).flatMap(({ path, text }) => (path ? [{ path, text }] : []));
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['src/plugins/lamp/server/plugin.ts', 'tests/plugins/lamp/server/lamp.test.ts']));
  expect(await judgeSource(files)).toEqual([]);
  expect(complaintsAbout(files)).toBe('');
});

test('a plugin of `plugin new` obeys all rules about sources', async () => {
  expect(await judgeSource(scaffold({ id: 'night-lamp', title: ['夜灯', 'Night lamps'], under: 'base' }))).toEqual([]);
});

test('the example outside of the tree obeys all rules about sources', async () => {
  const files = filesUnder('examples/loyalty', ['.ts', '.tsx', '.sql']).filter(({ path }) => !/\/(dist|node_modules)\//.test(path));
  const placed = files.map(({ path, text }) => ({
    path: path.replace(/^examples\/loyalty\/(tests\/)?/, (_, tests) => `${tests ? 'tests' : 'src'}/plugins/loyalty/`),
    text,
  }));
  expect(placed.length).toBeGreaterThan(12);
  expect(await judgeSource(placed)).toEqual([]);
});

test('each rule about sources finds its violation at its line', async () => {
  const place = 'src/plugins/lamp';
  const long = (count: number) => 'export const row = 1;\n'.repeat(count);
  const violations: Readonly<Record<string, readonly [path: string, text: string, line: number]>> = {
    'file-length': [`${place}/server/plugin.ts`, long(70), 61],
    'function-length': [`${place}/server/lights.ts`, `\nexport function light() {\n${'  row();\n'.repeat(70)}}\n`, 2],
    'file-name': [`${place}/server/fooBar.ts`, '', 1],
    'plugin-parts': [`${place}/menus.ts`, '', 1],
    'plugin-id': [`${place}/server/plugin.ts`, "export default defineServerPlugin({\n  id: 'lamps',\n});\n", 2],
    'unique-table': [`${place}/server/migrations/0001-lamps.sql`, '\ncreate table notice (id bigint);', 2],
    'import-boundary': [`${place}/server/lights.ts`, "import { x } from '#server';\nimport { useState } from 'react';\n", 2],
    'foreign-inside': [`${place}/server/lights.ts`, "\nimport { x } from '#plugins/task/server/tasks';\n", 2],
    dependencies: [`${place}/server/plugin.ts`, "import { x } from '#plugins/task/contract';\nexport default defineServerPlugin({\n  id: 'lamp',\n});\n", 3],
    'kernel-package': [`${place}/server/lights.ts`, "\nimport fastify from 'fastify';\n", 2],
    'import-cycle': [`${place}/server/lights.ts`, "\nimport { x } from './lights.ts';\n", 2],
    'component-text': [`${place}/console/LampPage.tsx`, "\nconst title = '灯具';\n", 2],
    'text-pair': [`${place}/console/messages.ts`, "export const words = { title: ['灯具', 'Lamps'],\n  lit: '点亮' };\n", 2],
    'unused-message': [
      `${place}/contract.ts`,
      'export const lampProblems = {\n  taken: 1,\n  broken: 2,\n} as const;\nexport const one = lampProblems.taken;\n',
      3,
    ],
    'platform-reason': [`${place}/server/lights.ts`, '\nawait db.asPlatform(reason, work);\n', 2],
    'comment-opening': [`${place}/server/lights.ts`, '\n/** What is lit. */\nconst lit = 1;\n', 2],
    vocabulary: [`${place}/server/lights.ts`, '\n\n/** Nobody waits. */\nconst lit = 1;\n', 3],
    'test-title': ['tests/plugins/lamp/server/lamp.test.ts', "\ntest('whoever asks is refused', run);\n", 2],
    'state-setter': [`${place}/console/LampPage.tsx`, `\nconst [open, ${'turn'}] = useState(false);\n`, 2],
    'request-transport': [`${place}/console/lamp-store.ts`, "\nconst reply = await fetch('/api/lamp');\n", 2],
    'request-cancelling': [`${place}/console/lamp-store.ts`, '\nconst controller = new AbortController();\n', 2],
    'request-effect': [`${place}/console/LampPage.tsx`, '\nuseEffect(() => {\n  http.send(lamp.list, {});\n}, []);\n', 2],
    'busy-flag': [`${place}/console/LampPage.tsx`, '\nconst [isSaving, setIsSaving] = useState(false);\n', 2],
    'online-migration': [`${place}/server/migrations/0002-more.sql`, '-- Adds a size.\nalter table lamp add size int not null;\n', 2],
  };
  for (const [rule, [path, text, line]] of Object.entries(violations)) {
    const found = await judgeSource([{ path, text }]);
    expect({ rule, found: found.filter((one) => one.rule === rule).map((one) => one.line) }).toEqual({ rule, found: expect.arrayContaining([line]) });
  }
  const halves = ['console', 'server'].map((half) => ({
    path: `${place}/${half}/plugin.ts`,
    text: `export default define({\n  id: 'lamp',\n${half === 'server' ? '  core: true,\n' : ''}});\n`,
  }));
  expect(await judgeSource(halves)).toEqual(
    expect.arrayContaining([expect.objectContaining({ rule: 'core-halves', path: `${place}/console/plugin.ts`, line: 2 })]),
  );
  expect([...Object.keys(violations), 'core-halves'].toSorted()).toEqual(sourceRules.map(({ id }) => id).toSorted());
});

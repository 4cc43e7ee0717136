import { expect, test } from '@rstest/core';
import { scaffold } from '../../src/plugins/codegen/server/emit/scaffold.ts';
import { judgeSource, sourceRules } from '../architecture/rules/plugin-rules.ts';
import { filesUnder } from '../architecture/source.ts';
import { contractRules } from '../contract/contract-server.ts';
import { sourceProblems } from '../support/checked-sources.ts';
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
  expect(sourceProblems(files)).toBe('');
});

test('a plugin of `plugin new` obeys all rules about sources', async () => {
  expect(await judgeSource(scaffold({ id: 'night-lamp', title: ['夜灯', 'Night lamps'], under: 'base' }))).toEqual([]);
});

test('the example outside of the tree obeys all rules about sources', async () => {
  const files = filesUnder('examples/loyalty', ['.ts', '.tsx', '.sql']).filter(({ path }) => !/\/(dist|node_modules)\//.test(path));
  const filesInTree = files.map(({ path, text }) => ({
    path: path.replace(/^examples\/loyalty\/(tests\/)?/, (_, tests) => `${tests ? 'tests' : 'src'}/plugins/loyalty/`),
    text,
  }));
  expect(filesInTree.length).toBeGreaterThan(12);
  expect(await judgeSource(filesInTree)).toEqual([]);
});

test('each rule about sources reports a violation with its line', async () => {
  const folder = 'src/plugins/lamp';
  const rows = (count: number) => 'export const row = 1;\n'.repeat(count);
  const violations: Readonly<Record<string, readonly [path: string, text: string, line: number]>> = {
    'file-length': [`${folder}/server/plugin.ts`, rows(70), 61],
    'function-length': [`${folder}/server/lights.ts`, `\nexport function light() {\n${'  row();\n'.repeat(70)}}\n`, 2],
    'file-name': [`${folder}/server/fooBar.ts`, '', 1],
    'plugin-parts': [`${folder}/menus.ts`, '', 1],
    'plugin-id': [`${folder}/server/plugin.ts`, "export default defineServerPlugin({\n  id: 'lamps',\n});\n", 2],
    'unique-table': [`${folder}/server/migrations/0001-lamps.sql`, '\ncreate table notice (id bigint);', 2],
    'import-boundary': [`${folder}/server/lights.ts`, "import { x } from '#server';\nimport { useState } from 'react';\n", 2],
    'foreign-inside': [`${folder}/server/lights.ts`, "\nimport { x } from '#plugins/task/server/tasks';\n", 2],
    dependencies: [`${folder}/server/plugin.ts`, "import { x } from '#plugins/task/contract';\nexport default defineServerPlugin({\n  id: 'lamp',\n});\n", 3],
    'kernel-package': [`${folder}/server/lights.ts`, "\nimport fastify from 'fastify';\n", 2],
    'import-cycle': [`${folder}/server/lights.ts`, "\nimport { x } from './lights.ts';\n", 2],
    'component-text': [`${folder}/console/LampPage.tsx`, "\nconst title = '灯具';\n", 2],
    'text-pair': [`${folder}/console/messages.ts`, "export const words = { title: ['灯具', 'Lamps'],\n  lit: '点亮' };\n", 2],
    'unused-message': [
      `${folder}/contract.ts`,
      'export const lampProblems = {\n  taken: 1,\n  broken: 2,\n} as const;\nexport const one = lampProblems.taken;\n',
      3,
    ],
    'platform-reason': [`${folder}/server/lights.ts`, '\nawait db.asPlatform(reason, work);\n', 2],
    'comment-opening': [`${folder}/server/lights.ts`, '\n/** What is lit. */\nconst lit = 1;\n', 2],
    vocabulary: [`${folder}/server/lights.ts`, '\n\n/** Nobody waits. */\nconst lit = 1;\n', 3],
    'test-title': ['tests/plugins/lamp/server/lamp.test.ts', "\ntest('whoever asks is refused', run);\n", 2],
    'state-setter': [`${folder}/console/LampPage.tsx`, `\nconst [open, ${'turn'}] = useState(false);\n`, 2],
    'request-transport': [`${folder}/console/lamp-store.ts`, "\nconst reply = await fetch('/api/lamp');\n", 2],
    'request-cancelling': [`${folder}/console/lamp-store.ts`, '\nconst controller = new AbortController();\n', 2],
    'request-effect': [`${folder}/console/LampPage.tsx`, '\nuseEffect(() => {\n  http.send(lamp.list, {});\n}, []);\n', 2],
    'busy-flag': [`${folder}/console/LampPage.tsx`, '\nconst [isSaving, setIsSaving] = useState(false);\n', 2],
    'online-migration': [`${folder}/server/migrations/0002-more.sql`, '-- Adds a size.\nalter table lamp add size int not null;\n', 2],
  };
  for (const [rule, [path, text, line]] of Object.entries(violations)) {
    const found = await judgeSource([{ path, text }]);
    expect({ rule, found: found.filter((one) => one.rule === rule).map((one) => one.line) }).toEqual({ rule, found: expect.arrayContaining([line]) });
  }
  const halves = ['console', 'server'].map((half) => ({
    path: `${folder}/${half}/plugin.ts`,
    text: `export default define({\n  id: 'lamp',\n${half === 'server' ? '  core: true,\n' : ''}});\n`,
  }));
  expect(await judgeSource(halves)).toEqual(
    expect.arrayContaining([expect.objectContaining({ rule: 'core-halves', path: `${folder}/console/plugin.ts`, line: 2 })]),
  );
  expect([...Object.keys(violations), 'core-halves'].toSorted()).toEqual(sourceRules.map(({ id }) => id).toSorted());
});

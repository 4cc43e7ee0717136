import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from '@rstest/core';
import { type Node, parse } from 'acorn';
import { nodeVersionProblem } from '../../scripts/node-version.mjs';

/** Returns the files that Node.js loads before the version check has run: the entries and their static imports. */
function filesBeforeCheck(path: string, found = new Map<string, Node[]>()): Map<string, Node[]> {
  if (found.has(path)) return found;
  const nodes = nodesOf(parse(readFileSync(path, 'utf8'), { ecmaVersion: 2020, sourceType: 'module' }));
  found.set(path, nodes);
  for (const { type, source } of nodes as (Node & { source?: { value: string } })[]) {
    if (type !== 'ImportExpression' && source) filesBeforeCheck(posix.join(path, '..', source.value), found);
  }
  return found;
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return 'type' in value ? [value as Node, ...inner] : inner;
}

const run = (version: string, args: string[]) => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(fake)}`, ...args], { encoding: 'utf8' });
};

test('code that runs before the version check is written in ES2020 and imports nothing else', () => {
  const files = new Map([...filesBeforeCheck('scripts/run.mjs'), ...filesBeforeCheck('scripts/deployed.mjs')]);
  expect([...files.keys()].sort()).toEqual(['scripts/deployed.mjs', 'scripts/node-version.mjs', 'scripts/run.mjs']);
  const isUnknownToNode14 = (node: Node) => 'property' in node && node.type === 'MemberExpression' && isMeta(node) && !isUrl(node.property);
  const isMeta = (node: Node) => 'object' in node && (node.object as Node).type === 'MetaProperty';
  const isUrl = (property: unknown) => (property as { name?: string }).name === 'url';
  expect([...files].filter(([, nodes]) => nodes.some(isUnknownToNode14)).map(([path]) => path)).toEqual([]);
});

test.each([
  ['14.21.3', false],
  ['18.20.8', false],
  ['20.9.0', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['22.0.0', true],
  ['26.1.0', true],
])('Node.js %s is supported: %s', (version, isSupported) => {
  expect(nodeVersionProblem(version) === undefined).toBe(isSupported);
});

test.each(['scripts/run.mjs start', 'scripts/run.mjs test', 'scripts/deployed.mjs'])('%s refuses an old Node.js with one sentence', (command) => {
  const { status, stdout, stderr } = run('18.20.8', command.split(' '));
  expect({ status, stdout, stderr: stderr.trim() }).toEqual({ status: 1, stdout: '', stderr: nodeVersionProblem('18.20.8') });
});

test('every npm command begins with the version check', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts).toEqual(Object.fromEntries(Object.keys(scripts).map((name) => [name, `node scripts/run.mjs ${name}`])));
});

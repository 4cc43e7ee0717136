import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { dependencyIds } from '#shared/plugin-versions';
import { dependenciesOf, dependentsOf } from '../../scripts/plugin/deployment.mjs';
import { moveTogether } from '../../scripts/plugin/folders.mjs';
import { pluginOf } from '../../scripts/plugin-sources.mjs';
import { ProjectCopy } from '../support/project-copy.ts';

const manifest = 'plugins.manifest.json';
let copy: ProjectCopy;

beforeAll(() => {
  copy = new ProjectCopy(['scripts', 'src', 'deployments', 'package.json', 'package-lock.json', manifest]);
  copy.write('tests/plugins/notice/server/notice.test.ts', '');
});
afterAll(() => copy.discard());

const listed = (path = manifest) => (JSON.parse(copy.read(path)) as { plugins: string[] }).plugins;

test.each([
  [[], 'npm run plugin -- COMMAND'],
  [['destroy'], 'Unknown command "destroy".'],
  [['constructor'], 'Unknown command "constructor".'],
  [['list', '--verbose'], 'list has no option --verbose. It has --json, --manifest.'],
  [['list', 'notice'], 'list takes no ID, but got notice.'],
  [['doctor', '--manifest'], 'doctor: '],
  [['list', '--manifest', 'none.json'], 'manifest none.json not found'],
  [['plan'], 'plan needs a change: npm run plugin -- plan --with ID,… --without ID,…'],
  [['plan', '--with', 'lamps'], 'Plugin lamps not found in src/plugins.'],
  [['plan', '--without', 'lamps'], 'Plugin lamps not found. plugins.manifest.json lists settings, '],
  [['new'], 'new needs the id of a plugin: npm run plugin -- new ID'],
  [['new', 'lamp', '灯具,Lamps'], 'new takes one ID, but got lamp and 灯具,Lamps.'],
  [['new', 'Lamp'], 'Invalid plugin id "Lamp". Use up to 32 lowercase letters, digits and single hyphens'],
  [['new', '../lamp'], 'Invalid plugin id "../lamp". Use up to 32 lowercase letters, digits and single hyphens'],
  [['new', 'aux'], 'Windows does not allow a folder called "aux".'],
  [['new', 'notice'], 'src/plugins/notice and tests/plugins/notice exists already.'],
  [['new', 'lamp', '--under', 'nowhere'], 'Menu group "nowhere" not found. Available: desk, '],
  [['new', 'menu'], 'has a table or a menu entry called menu already.'],
  [['new', 'lamp', '--title', '灯具,Lamps,Lampen'], '--title takes one Chinese and one English title'],
  [['new', 'lamp', '--title', 'Lamps,灯具'], '--title takes the Chinese title first and the English one second'],
  [['enable'], 'enable needs the id of a plugin: npm run plugin -- enable ID'],
  [['enable', 'lamps'], 'Plugin lamps not found in src/plugins.'],
  [['enable', 'notice'], 'plugins.manifest.json lists notice already.'],
  [['enable', 'npm:@acme/lamps'], 'package @acme/lamps not found in node_modules. Install it: npm install @acme/lamps'],
  [['enable', './deployments'], 'deployments is not a plugin: it has neither console/plugin.ts nor server/plugin.ts.'],
  [['disable', 'lamps'], 'Plugin lamps not found. plugins.manifest.json lists settings, '],
  [
    ['disable', 'base-data'],
    'task, payment, wechat-pay, alipay, bank-file, payee need it. Disable them together: npm run plugin -- disable base-data task payment wechat-pay alipay bank-file payee',
  ],
  [['remove', 'lamps'], 'Plugin not found in src/plugins: lamps. Available: access, '],
  [['remove', 'notice'], 'notice is listed in plugins.manifest.json, '],
  [['build'], 'build needs a folder: npm run plugin -- build FOLDER'],
  [['build', 'lamps'], 'Folder lamps not found.'],
  [['build', 'deployments'], 'is not a plugin: it has neither console/plugin.ts nor server/plugin.ts.'],
  [['check'], 'check needs the id of a plugin: npm run plugin -- check ID'],
  [['check', 'lamps'], 'Plugin not found in src/plugins: lamps. Available: access, '],
  [['upgrade', 'lamps'], 'Plugin not found in src/plugins: lamps. Available: access, '],
  [['upgrade', './lamps'], 'Folder not found: ./lamps.'],
  [['upgrade', '--manifest', manifest], 'upgrade has no option --manifest. It has --dry.'],
  [['build', 'lamps', '--manifest', manifest], 'build has no option --manifest.'],
  [['reset'], 'reset needs the id of a plugin: npm run plugin -- reset ID'],
  [['reset', 'lamps'], 'Plugin lamps not found. plugins.manifest.json lists settings, '],
])('plugin %j is refused with a sentence', (args, sentence) => {
  const { status, stdout, stderr } = copy.runPlugin(args);
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(stderr).not.toMatch(/\n\s+at /);
});

/** Plugins that need `payment`. */
const providers = ['wechat-pay', 'alipay', 'bank-file', 'payee'];

test('help is shown on request', () => {
  expect(copy.runPlugin(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run plugin -- COMMAND'), stderr: '' });
  expect(copy.runPlugin(['new', '--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run plugin -- COMMAND'), stderr: '' });
});

test('options that npm consumes are requested after two dashes, before anything is written', () => {
  const before = copy.pathsIn('src');
  expect(copy.runNpm('npm run plugin upgrade --dry')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm consumed --dry.') });
  expect(copy.runNpm('npm run plugin new lamp --title 灯具,Lamps')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm consumed --title.') });
  expect(copy.pathsIn('src')).toEqual(before);
});

test('a plugin is created, disabled, enabled and removed; the manifest keeps its text, line ends included', () => {
  const original = copy.read(manifest);
  const before = copy.pathsIn();
  copy.write(manifest, original.replaceAll('\n', '\r\n'));
  const begun = copy.runPlugin(['new', 'night-lamp', '--title', '夜灯,Night lamps']);
  expect(begun).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('+ src/plugins/night-lamp/contract.ts') });
  expect(listed().at(-1)).toBe('night-lamp');
  expect(copy.read(manifest).replaceAll('\r\n', '')).not.toContain('\n');
  expect(copy.read('src/plugins/night-lamp/menus.ts')).toContain("title: ['夜灯', 'Night lamps']");
  expect(copy.pathsIn('tests/plugins/night-lamp')).toContain('server/night-lamp.test.ts');
  expect(copy.runPlugin(['new', 'night-lamp'])).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });

  expect(copy.runPlugin(['disable', 'night-lamp'])).toMatchObject({ status: 0, stdout: expect.stringContaining('The data of night-lamp stays') });
  expect(copy.read(manifest)).toBe(original.replaceAll('\n', '\r\n'));
  expect(copy.runPlugin(['disable', 'night-lamp'])).toMatchObject({ status: 1, stderr: expect.stringContaining('night-lamp is already disabled') });
  expect(copy.runPlugin(['enable', 'night-lamp']).status).toBe(0);
  expect(copy.runPlugin(['remove', 'night-lamp'])).toMatchObject({ status: 1, stderr: expect.stringContaining('Disable it first') });
  expect(copy.runPlugin(['disable', 'night-lamp']).status).toBe(0);
  const removed = copy.runPlugin(['remove', 'night-lamp']);
  expect(removed).toMatchObject({ status: 0, stderr: '' });
  expect(removed.stdout).toContain('- src/plugins/night-lamp (7 files)\n- tests/plugins/night-lamp (3 files)');
  expect(removed.stdout).toContain('drop table night_lamp;');
  copy.write(manifest, original);
  expect(copy.pathsIn()).toEqual(before);
});

test('a plugin that cannot be created leaves nothing behind', () => {
  const original = copy.read(manifest);
  copy.write(manifest, '{ "plugins": [');
  const before = copy.pathsIn();
  for (const args of [['new', 'lamp'], ['enable', 'notice'], ['disable', 'notice'], ['list']])
    expect(copy.runPlugin(args)).toMatchObject({ status: 1, stderr: expect.stringContaining('plugins.manifest.json is not JSON: ') });
  expect(copy.pathsIn()).toEqual(before);
  copy.write(manifest, original);

  // The tests cannot be written, so the sources, which were written first, are removed again.
  rmSync(copy.path('tests/plugins'), { recursive: true });
  copy.write('tests/plugins', '');
  expect(copy.runPlugin(['new', 'lamp']).status).toBe(1);
  expect(copy.pathsIn('src').filter((path) => path.includes('lamp'))).toEqual([]);
  expect(copy.read(manifest)).toBe(original);
  expect(copy.pathsIn('').filter((path) => path.startsWith('.plugin-') || path.endsWith('.tmp'))).toEqual([]);
  rmSync(copy.path('tests/plugins'));
  copy.write('tests/plugins/notice/server/notice.test.ts', '');
});

test('moved folders are moved back when a later step fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-moved-'));
  try {
    writeFileSync(join(folder, 'one'), 'text');
    const moves = [{ from: join(folder, 'one'), to: join(folder, 'deep/two') }];
    const failing = () => {
      throw new Error('The manifest cannot be written.');
    };
    await expect(moveTogether(moves, failing)).rejects.toThrow('The manifest cannot be written.');
    expect([existsSync(join(folder, 'one')), existsSync(join(folder, 'deep/two'))]).toEqual([true, false]);
    await moveTogether(moves);
    expect([existsSync(join(folder, 'one')), existsSync(join(folder, 'deep/two'))]).toEqual([false, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a manifest that extends another changes its own "with" and "without"', () => {
  const path = 'deployments/harbour.manifest.json';
  const original = copy.read(path);
  const said = () => JSON.parse(copy.read(path)) as { with?: unknown[]; without?: string[] };
  const of = ['--manifest', path];
  expect(copy.runPlugin(['enable', 'notice', ...of]).status).toBe(0);
  expect(said().without).toEqual(['storage']);
  expect(copy.runPlugin(['enable', 'storage', ...of]).status).toBe(0);
  expect(said().without).toBeUndefined();
  const disabled = copy.runPlugin(['disable', 'task', 'payment', ...providers, ...of]);
  expect(disabled.stdout).toContain('The options of task were removed from the manifest: {"picturesAhead":6}');
  expect(said()).toMatchObject({ without: ['task', 'payment', ...providers] });
  expect(said().with).toBeUndefined();
  copy.write(path, original);
});

test('a manifest with an entry in "without" that is no longer listed is named', () => {
  const original = copy.read(manifest);
  const { status, stdout } = copy.runPlugin(['disable', 'sms']);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/! .*lighthouse\.manifest\.json lists sms in "without", but .* does not list them/),
  });
  copy.write(manifest, original);
});

test('a plugin that git tracks, or that another one needs, is removed only with --force', () => {
  const original = copy.read(manifest);
  const git = (...args: string[]) => expect(spawnSync('git', args, { cwd: copy.folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
  expect(copy.runPlugin(['disable', 'base-data', 'task', 'payment', ...providers]).status).toBe(0);
  expect(copy.runPlugin(['remove', 'base-data'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('payment, task, wechat-pay, alipay, bank-file, payee need it.'),
  });
  git('init', '-q');
  git('add', 'src/plugins/payee');
  expect(copy.runPlugin(['remove', 'payee'])).toMatchObject({ status: 1, stderr: expect.stringContaining('Git tracks src/plugins/payee.') });
  expect(copy.runPlugin(['remove', 'payee', '--force'])).toMatchObject({ status: 0, stdout: expect.stringContaining('- src/plugins/payee (') });
  expect(copy.pathsIn('src/plugins').filter((path) => path.startsWith('payee'))).toEqual([]);
  copy.write(manifest, original);
});

test('the dependencies of a plugin are read from its sources as its definition names them', () => {
  for (const { plugin } of plugins) expect(dependenciesOf(pluginOf(plugin.id))).toEqual(expect.arrayContaining([...dependencyIds(plugin.dependencies)]));
  expect(
    dependentsOf(
      ['region'],
      plugins.map(({ plugin: { id } }) => pluginOf(id)),
    ).sort(),
  ).toEqual(['alipay', 'bank-file', 'base-data', 'payee', 'payment', 'task', 'wechat-pay']);
});

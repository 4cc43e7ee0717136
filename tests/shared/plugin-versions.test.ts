import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import ranges from 'semver';
import { kernelVersion } from '../../src/shared/manifest/kernel-version.ts';
import { incompatiblePlugins } from '../../src/shared/manifest/plugin-compatibility.ts';
import { declaresVersions, dependencyIds, type PluginVersionInfo } from '../../src/shared/manifest/plugin-versions.ts';

const incompatible = (plugins: readonly PluginVersionInfo[], kernel = '1.4.0') =>
  Object.fromEntries([...incompatiblePlugins(plugins, ranges, kernel)].map(([id, [, words]]) => [id, words]));

test('the kernel’s version is the package’s', () => {
  expect(kernelVersion).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
});

test('a plugin is compatible if the kernel and its dependencies are in its ranges; without a version it has the kernel’s', () => {
  expect(
    incompatible([
      { id: 'organization', version: '1.3.1' },
      { id: 'loyalty', version: '2.0.0-beta.1', engine: '^1.2', dependencies: { organization: '^1.2', region: '>=1.4' } },
      { id: 'region' },
      { id: 'plain', dependencies: ['organization', 'ghost'] },
      { id: 'tester', dependencies: { loyalty: '>=2.0.0-beta', ghost: '^9' } },
    ]),
  ).toEqual({});
});

test('an incompatible plugin gets both versions and the remedy', () => {
  expect(
    incompatible([
      { id: 'organization', version: '1.0.3' },
      { id: 'late', version: '2.0.0', dependencies: { organization: '^1.2' } },
      { id: 'early', engine: '^2.0' },
      { id: 'crooked', version: 'one' },
      { id: 'vague', dependencies: { organization: 'newest?' } },
    ]),
  ).toEqual({
    late: 'version 2.0.0 requires “organization” ^1.2, but 1.0.3 is installed; install “organization” ^1.2, or a plugin version that supports 1.0.3',
    early: `version ${kernelVersion} requires kernel ^2.0, but this is 1.4.0; use Marquee ^2.0, or install a plugin version that supports 1.4.0`,
    crooked: '“one” is not a valid version; use one like 1.2.3',
    vague: '“newest?” is not a valid version range; use one like ^1.2',
  });
});

test('versions are compared only if a plugin declares any', () => {
  expect([{ id: 'a' }, { id: 'a', dependencies: ['b'] }].some(declaresVersions)).toBe(false);
  expect(
    [
      { id: 'a', dependencies: { b: '*' } },
      { id: 'a', engine: '*' },
      { id: 'a', version: '1.0.0' },
    ].every(declaresVersions),
  ).toBe(true);
  expect([dependencyIds({ b: '^1', c: '*' }), dependencyIds(['b']), dependencyIds()]).toEqual([['b', 'c'], ['b'], []]);
});

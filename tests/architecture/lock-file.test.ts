import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import ranges from 'semver';
import { type LockedPackages, lockedPackages, missingOptionalPackages, nativePackages, withoutNativeCode } from '../../scripts/lock-file.mjs';

const packages = lockedPackages();
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

test('the lock file contains the packages of every platform, with version and integrity', () => {
  expect(missingOptionalPackages(packages)).toEqual([]);
});

test('a lock file written for a single platform is detected', () => {
  const ofLinux: LockedPackages = {
    'node_modules/bundler': { version: '1.0.0', optionalDependencies: { '@bundler/linux': '1.0.0', '@bundler/darwin': '1.0.0', '@bundler/win32': '1.0.0' } },
    'node_modules/@bundler/linux': { version: '1.0.0', integrity: 'sha512-x', os: ['linux'] },
    'node_modules/@bundler/win32': { os: ['win32'], optional: true },
  };
  expect(missingOptionalPackages(ofLinux)).toEqual(['node_modules/bundler > @bundler/darwin', 'node_modules/bundler > @bundler/win32']);
});

test.each([
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'win32', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
])('each package with native code has one for $os-$cpu', (platform) => {
  expect(nativePackages(packages, platform).length).toBeGreaterThan(4);
  expect(withoutNativeCode(packages, platform)).toEqual([]);
});

test('no package that is always installed warns on a supported Node', () => {
  expect(engines.node).toBe('>=20.19');
  const warning = ['20.19.0', '22.13.0', '24.0.0', '26.0.0'].flatMap((node) =>
    Object.entries(packages)
      .filter(([, { optional, engines: asked }]) => !optional && asked?.node && !ranges.satisfies(node, asked.node))
      .map(([place, { version, engines: asked }]) => `${place} ${version} asks for Node ${asked?.node}, not ${node}`),
  );
  expect(warning).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { lockedPackages } from '../../scripts/lock-file.mjs';

test('a build has a bill of materials with every locked package', () => {
  const { bomFormat, components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
    bomFormat: string;
    components: { purl: string; scope: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
  const locked = Object.entries(lockedPackages()).filter(([path]) => path !== '');
  const missing = locked.map(([path, { version }]) => `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`).filter((purl) => !listed.has(purl));
  expect(missing).toEqual([]);
  expect(components.find(({ purl }) => purl.startsWith('pkg:npm/axios@'))?.scope).toBe('required');
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { dependencyIds } from '#shared/plugin-versions';
import { writeStartFiles } from '../../scripts/deployment-folder.mjs';
import { faviconOf, modulesOf, readDeployment } from '../../scripts/deployment-modules.ts';
import { readManifestFile } from '../../scripts/manifest.mjs';
import { idOf } from '../../scripts/plugin-sources.mjs';
import { describeDeployment } from '../../src/server/host/deployment-description.ts';
import { pairwise } from '../support/pairwise.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-deployments-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('of two tenants of one tree each build is given its own brand, plugins and options, and nothing of the other', async () => {
  const tenants = await Promise.all(
    ['lighthouse', 'harbour'].map(async (name) => {
      const path = resolve(`deployments/${name}.manifest.json`);
      const { manifest } = readManifestFile(path);
      const text = Object.values(modulesOf(await readDeployment(path))).join('\n');
      return { manifest, text, ids: manifest.plugins.map(idOf) };
    }),
  );
  for (const { manifest, text, ids } of tenants) {
    const own = [...(manifest.brand?.title ?? []), manifest.storagePrefix];
    for (const said of own) expect(text).toContain(said);
    for (const other of tenants.filter((one) => one.manifest !== manifest)) {
      for (const said of own) expect(other.text).not.toContain(said);
      for (const id of ids.filter((one) => !other.ids.includes(one))) {
        expect(text).toContain(`/plugins/${id}/`);
        expect(other.text).not.toContain(`/plugins/${id}/`);
      }
    }
  }
  const [lighthouse, harbour] = tenants.map(({ text }) => text);
  expect(lighthouse).toContain('"days":7');
  expect(harbour).toContain('"picturesAhead":6');
});

test('the product’s mark is the icon of a deployment without its own, and of no other', async () => {
  const { manifest } = await readDeployment(resolve('plugins.manifest.json'));
  expect(faviconOf(manifest)).toMatchObject({
    address: expect.stringMatching(/^\/icon\.svg\?/),
    bitmap: expect.stringMatching(/^\/favicon\.ico\?/),
    ignored: [],
  });
  const ignored = ['icon.svg', 'favicon.ico'];
  const ofTenant = faviconOf((await readDeployment(resolve('deployments/harbour.manifest.json'))).manifest);
  expect(ofTenant).toMatchObject({ address: expect.stringMatching(/^\/brand-icon\.svg\?/), bitmap: undefined, ignored });
  expect(faviconOf({ ...manifest, brand: { favicon: 'https://cdn.test/icon.svg' } })).toEqual({
    address: 'https://cdn.test/icon.svg',
    bitmap: undefined,
    copied: [],
    ignored,
  });
});

test('favicon.ico has the mark in the sizes browsers draw', () => {
  const file = readFileSync(resolve('public/favicon.ico'));
  const pictures = Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const picture = file.subarray(file.readUInt32LE(entry + 12)).subarray(0, file.readUInt32LE(entry + 8));
    return {
      size: file[entry],
      isPng: picture.subarray(1, 4).toString() === 'PNG',
      width: picture.readUInt32BE(16),
      ends: picture.subarray(-8, -4).toString(),
    };
  });
  expect(pictures).toEqual([16, 32, 48].map((size) => ({ size, isPng: true, width: size, ends: 'IEND' })));
});

// A soak test (`tests/soak/deployments.soak.ts`) checks that each of these subsets builds and boots.
test('every two plugins are together, apart and absent in some subset, and each subset only skips plugins with missing dependencies', () => {
  const ids = plugins.map(({ plugin }) => plugin.id);
  const subsets = pairwise(ids);
  for (const a of ids)
    for (const b of ids.filter((id) => id !== a)) {
      const seen = new Set(subsets.map((subset) => `${subset.includes(a)} ${subset.includes(b)}`));
      expect([a, b, seen.size]).toEqual([a, b, 4]);
    }
  const needs = new Map(plugins.map(({ plugin }) => [plugin.id, dependencyIds(plugin.dependencies)]));
  const stands = (id: string, among: readonly string[]): boolean => among.includes(id) && (needs.get(id) ?? []).every((need) => stands(need, among));
  for (const subset of subsets) {
    const described = describeDeployment(plugins.filter(({ plugin }) => subset.includes(plugin.id)));
    expect(
      described
        .filter(({ skipped }) => !skipped)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(subset.filter((id) => stands(id, subset)).sort());
  }
});

test('a built folder states its requirements and how it is started', () => {
  mkdirSync(join(folder, 'server'));
  const server = 'import { PGlite } from "@electric-sql/pglite";\nimport sharp from "sharp";\nconst pretty = await import("pino-pretty");\nimport "node:fs";\n';
  writeFileSync(
    join(folder, 'server/main.js'),
    `${server}export const startServer = async () => ({ address: 'http://here', bootstrapCredentials: undefined });`,
  );
  writeStartFiles(folder);
  const { dependencies, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['@electric-sql/pglite', 'pino-pretty', 'sharp']);
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(scripts).toEqual({ start: 'node start.mjs', admin: 'node admin.mjs', backup: 'node backup.mjs', restore: 'node restore.mjs' });
  const parts = ['announce.mjs', 'backup-report.mjs', 'built-server.mjs', 'node-version.mjs', 'package.json', 'server', 'supervise.mjs'];
  const commands = ['start', 'admin', 'backup', 'restore'].map((name) => `${name}.mjs`);
  expect(readdirSync(folder).sort()).toEqual([...parts, ...commands].sort());
  for (const command of commands.slice(1)) {
    const help = execFileSync(process.execPath, [join(folder, command), '--help'], { encoding: 'utf8' });
    expect(help).toContain(`npm run ${command.replace('.mjs', ' --')}`);
  }
  const fails = () => execFileSync(process.execPath, [join(folder, 'start.mjs')], { encoding: 'utf8', stdio: 'pipe' });
  expect(fails).toThrow(/To install its packages, run npm install --omit=dev in /);
});

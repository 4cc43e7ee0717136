import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnNpm } from './npm.mjs';

/**
 * Writes `sbom.cdx.json` into the folder of a build: its software bill of materials in CycloneDX, made by npm from the lock file. Development tools are listed and
 * marked. The file contains no time and no random number, so that equal sources produce equal builds.
 */
export function writeSbom(folder) {
  const root = join(import.meta.dirname, '..');
  const { status, stdout, stderr } = spawnNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], { cwd: root });
  if (status !== 0) throw new Error(`npm could not write the bill of materials: ${stderr.trim()}`);
  const { serialNumber: _, ...sbom } = JSON.parse(stdout);
  const { timestamp: __, ...metadata } = sbom.metadata;
  metadata.component.name = 'marquee';
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify({ ...sbom, metadata }, null, 2)}\n`);
}

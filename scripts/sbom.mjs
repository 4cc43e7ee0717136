import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The software bill of materials of a build: CycloneDX, made by npm from the lock file. Tools of development are in it and marked as such. */
export const sbomFile = 'sbom.cdx.json';

/** Writes the bill of materials into the folder of a build. It carries no time and no random number, so that equal sources make equal builds. */
export function writeSbom(folder, spawnNpm) {
  const { status, stdout, stderr } = spawnNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'], {
    stdio: 'pipe',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm could not write the bill of materials: ${stderr.trim()}`);
  const { serialNumber: _, ...sbom } = JSON.parse(stdout);
  const { timestamp: __, ...metadata } = sbom.metadata;
  metadata.component.name = 'marquee';
  writeFileSync(join(folder, sbomFile), `${JSON.stringify({ ...sbom, metadata }, null, 2)}\n`);
}

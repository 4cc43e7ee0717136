/** Compares the public API with that of the last release, so that its version says what changed for authors of plugins. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { root } from '../prepare.mjs';

const reports = join(root, 'docs/api');
const recorded = join(reports, 'released.json');

/** Returns the digest of the signature of each export in the API reports, by module and name. */
export function apiSignatures(folder = reports) {
  const signatures = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    let module = '';
    for (const section of readFileSync(join(folder, file), 'utf8').split(/^(?=##? )/m)) {
      const [, level, name] = /^(##?) (\S+)/.exec(section) ?? [];
      if (level === '#') module = name;
      if (level !== '##') continue;
      const code = /^```ts\n([\s\S]*?)^```/m.exec(section)?.[1] ?? '';
      signatures[`${module}.${name}`] = createHash('sha256').update(code).digest('hex').slice(0, 12);
    }
  }
  return signatures;
}

/** Returns messages about changes that `version` does not allow after the recorded release: below 1.0.0 a minor version may break, from then on only a major one. */
export function apiProblems(version, { released = readReleased(), signatures = apiSignatures() } = {}) {
  if (!released) return [];
  const before = released.exports;
  const removed = Object.keys(before).filter((name) => !(name in signatures));
  const changed = Object.keys(before).filter((name) => name in signatures && signatures[name] !== before[name]);
  const added = Object.keys(signatures).filter((name) => !(name in before));
  const isStable = semver.major(released.version) > 0;
  const breaking = isStable ? 'major' : 'minor';
  const required = removed.length + changed.length > 0 ? breaking : added.length > 0 ? (isStable ? 'minor' : 'patch') : undefined;
  const lowest = required && semver.inc(released.version, required);
  if (!lowest || semver.gte(version, lowest)) return semver.lt(version, released.version) ? [`${version} is below the released ${released.version}.`] : [];
  return [
    `The public API differs from that of ${released.version}, so the version must be at least ${lowest}, not ${version}.`,
    ...removed.map((name) => `  removed: ${name}`),
    ...changed.map((name) => `  changed: ${name}`),
    ...added.map((name) => `  added: ${name}`),
  ];
}

/** Records the public API as that of `version`. */
export const recordRelease = (version) => writeFileSync(recorded, `${JSON.stringify({ version, exports: apiSignatures() }, null, 2)}\n`);

const readReleased = () => (existsSync(recorded) ? JSON.parse(readFileSync(recorded, 'utf8')) : undefined);

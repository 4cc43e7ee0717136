import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Largest number of changes that a package names, and of characters in one. */
const limits = { changes: 50, characters: 300 };

/** Reads what a version of a plugin changes: the list items below the heading `## 1.2.0` of its `CHANGELOG.md`; none without such a heading. */
export function changesOf(folder, version) {
  const file = join(folder, 'CHANGELOG.md');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const isHeading = (line) => line.startsWith('## ');
  const start = lines.findIndex((line) => /^## \[?v?([^\]\s]+)/.exec(line)?.[1] === version);
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex(isHeading);
  const section = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const changes = section.flatMap((line) => /^[-*] (.+)/.exec(line)?.[1] ?? []);
  return changes.slice(0, limits.changes).map((change) => change.trim().slice(0, limits.characters));
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { changesOf } from '../../scripts/plugin/change-log.mjs';

/** Writes a change log into a folder of its own. */
function changeLog(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'CHANGELOG.md'), text);
  return folder;
}

test('a package names the items below the heading of its version', () => {
  const folder = changeLog(
    '# Changes\n\n## [1.10.0] - 2026-11-30\n\n### Added\n\n- A dimmer.\n* A timer.\n\n## v1.1.0\n- The first switch.\n\n## 1.1.0-dev.1\n- A draft.\n',
  );
  expect(changesOf(folder, '1.10.0')).toEqual(['A dimmer.', 'A timer.']);
  expect(changesOf(folder, '1.1.0')).toEqual(['The first switch.']);
  expect(changesOf(folder, '1.1.0-dev.1')).toEqual(['A draft.']);
  expect(changesOf(folder, '1.0.0')).toEqual([]);
});

test('a long list is cut, and a plugin without a change log names nothing', () => {
  const folder = changeLog(`## 2.0.0\n${'- A change.\n'.repeat(60)}`);
  expect(changesOf(folder, '2.0.0')).toHaveLength(50);
  expect(changesOf(tmpdir(), '2.0.0')).toEqual([]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import { readDeployment } from '../../scripts/deployment-modules.ts';
import { displayPath, problemsOf } from '../../scripts/dev/manifest-places.mjs';

const folder = mkdtempSync(join(tmpdir(), 'marquee-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'a.manifest.json');

/** Returns the problems of a deployment that adds these lines to the product's manifest. */
async function problemsWith(...lines: string[]) {
  writeFileSync(file, ['{', `  "extends": ${JSON.stringify(join(process.cwd(), 'plugins.manifest.json'))},`, ...lines, '}', ''].join('\n'));
  const problems = await readDeployment(file).then(
    () => [],
    (error: unknown) => problemsOf(error, [file]),
  );
  return problems.map(({ message, file: found, line }) => ({ message, line: found === displayPath(file) ? line : found }));
}

test('a mistake in the syntax of a manifest is named with its line', async () => {
  expect(await problemsWith('  "theme": "theme-dark",', '  "without": ["sms",],')).toEqual([{ message: expect.stringContaining('is not JSON'), line: 4 }]);
});

test('each problem of a manifest is named with the line of its value', async () => {
  expect(await problemsWith('  "theme": "theme-pink",', '  "modes": {', '    "tenant": 7', '  }')).toEqual([
    { message: expect.stringContaining('theme '), line: 3 },
    { message: expect.stringContaining('modes.tenant '), line: 5 },
  ]);
});

test('a problem of an option is named with the line of the option, or of its plugin', async () => {
  const found = await problemsWith(
    '  "with": [',
    '    "task",',
    '    { "use": "sms", "options": {',
    '      "codeMinutes": "ten", "codeHours": 1',
    '    } }',
    '  ]',
  );
  expect(found).toEqual([
    { message: 'plugins.sms.options.codeHours is not known', line: 6 },
    { message: 'plugins.sms.options.codeMinutes must be integer', line: 6 },
  ]);
});

test('an entry of "without" that is not listed is named with its line', async () => {
  expect(await problemsWith('  "without": [', '    "lamps"', '  ]')).toEqual([{ message: expect.stringContaining('lists lamps in "without"'), line: 3 }]);
});

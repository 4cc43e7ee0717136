/**
 * Implements `npm run api`: writes the exports of `#kernel`, `#server`, `#shared` and `#kit` to `docs/api`, from their types and doc comments, and the table of
 * settings to `docs/operating.md`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReports } from './api-report.mjs';
import { ensureInstalled, root } from './prepare.mjs';
import { settingsTable } from './settings.mjs';
import { fail } from './steps.mjs';

await ensureInstalled();
mkdirSync(join(root, 'docs/api'), { recursive: true });
for (const { file, text } of apiReports()) {
  writeFileSync(join(root, 'docs/api', file), text);
  console.log(`docs/api/${file}`);
}

const operating = join(root, 'docs/operating.md');
const page = readFileSync(operating, 'utf8');
const table = /^\| name \| default \| description \|\n(\|.*\n)+/m;
if (!table.test(page)) fail('docs/operating.md contains no table of the settings.');
writeFileSync(
  operating,
  page.replace(table, () => `${settingsTable()}\n`),
);
console.log('docs/operating.md');

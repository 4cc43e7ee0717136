/** `npm run api`: writes what plugins may use of `#kernel`, `#server`, `#shared` and `#kit` to `docs/api`, from the types and the sentences above them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReports } from './api-report.mjs';
import { ensureInstalled, root } from './prepare.mjs';

ensureInstalled();
mkdirSync(join(root, 'docs/api'), { recursive: true });
for (const { file, text } of apiReports()) {
  writeFileSync(join(root, 'docs/api', file), text);
  console.log(`docs/api/${file}`);
}

/** Implements `npm run backup`: writes the database and the stored files into one archive, while servers run. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { abortOnInterrupt, databaseSizeText, endWith, sizeText } from './backup-report.mjs';
import { home, loadServer } from './built-server.mjs';

const help = `npm run backup -- FILE [--verify]

Writes a backup of the database and of the stored files into FILE, which must not exist. If FILE is a folder, the
backup gets a name with the time there. Servers run on meanwhile. It is readable for its owner only.
  --verify  restores the backup into a temporary database and compares all rows before it counts

The environment is that of the server: DATABASE_URL or DATA_DIR, SECRET_KEY. The key is not part of the backup.
Ends with code 0, with 1 if there is no backup, and with 2 if the content of stored files was missing.`;

const { positionals, values } = readArguments();
if (values.help) endWith(help, 0);
if (positionals.length !== 1) endWith(help, 1);
// npm changes to the folder of the project.
const path = resolve(process.env.INIT_CWD ?? '.', positionals[0]);
process.chdir(home);
process.env.NODE_ENV ||= 'production';
if (!process.env.DATABASE_URL && !existsSync(resolve(process.env.DATA_DIR || '.data', 'database')))
  endWith(`No database found in ${resolve(process.env.DATA_DIR || '.data')}. Set DATA_DIR to the directory of the server, or set DATABASE_URL.`, 1);

const { backup } = await loadServer();
const request = { path, isVerified: values.verify, signal: abortOnInterrupt() };
const report = await backup(process.env, request).catch((error) => endWith(error.message, 1));
const { files } = report;
console.log(`
  backup    ${report.path} (${sizeText(report.bytes)})${values.verify ? ', verified' : ''}
  database  ${databaseSizeText(report)}
  files     ${files.count} (${sizeText(files.bytes)})${files.elsewhere > 0 ? `; ${files.elsewhere} more are in object storage and not in the backup` : ''}
  key       fingerprint ${report.keyFingerprint}; keep the key itself in another place
`);
if (files.missing > 0) endWith(`The content of ${files.missing} files is missing in DATA_DIR/files: ${files.missingKeys.join(', ')}.`, 2);
process.exit(0);

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { verify: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    return endWith(`${error.message}\n\n${help}`, 1);
  }
}

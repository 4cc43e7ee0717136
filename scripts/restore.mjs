/** Implements `npm run restore`: fills an empty database and an empty folder of files from a backup, or verifies a backup. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { abortOnInterrupt, databaseSizeText, endWith, sizeText } from './backup-report.mjs';
import { home, loadServer } from './built-server.mjs';

const help = `npm run restore -- FILE [--verify] [--leave-out-unknown]

Restores a backup into an empty database and an empty DATA_DIR/files, embedded or PostgreSQL. Start no server meanwhile.
  --verify             restores into a temporary database only, compares all rows, and changes nothing
  --leave-out-unknown  leaves out tables of plugins that this build does not have

The environment is that of the new server: DATABASE_URL or DATA_DIR, and the key of the deployment that was backed up,
as SECRET_KEY or as the file secret.key in DATA_DIR.
Ends with code 0, with 1 if nothing was restored, and with 2 if the backup lacks the content of some files.`;

const { positionals, values } = readArguments();
if (values.help) endWith(help, 0);
if (positionals.length !== 1) endWith(help, 1);
// npm changes to the folder of the project.
const path = resolve(process.env.INIT_CWD ?? '.', positionals[0]);
process.chdir(home);
process.env.NODE_ENV ||= 'production';

const { restore } = await loadServer();
const request = { path, isVerifying: values.verify, leavesOutUnknown: values['leave-out-unknown'], signal: abortOnInterrupt() };
const report = await restore(process.env, request).catch((error) => endWith(error.message, 1));
const { files, skippedTables } = report;
console.log(`
  backup    of ${report.createdAt}, version ${report.version}, TIME_ZONE ${report.timeZone}: ${values.verify ? 'verified' : 'restored'}
  database  ${databaseSizeText(report)}${skippedTables.length > 0 ? `; left out: ${skippedTables.join(', ')}` : ''}
  files     ${files.count} (${sizeText(files.bytes)})${files.elsewhere > 0 ? `; ${files.elsewhere} more stay in object storage` : ''}
`);
if (files.missing > 0) endWith(`The backup lacks the content of ${files.missing} files: ${files.missingKeys.join(', ')}.`, 2);
process.exit(0);

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false };
    return parseArgs({ allowPositionals: true, options: { verify: flag, 'leave-out-unknown': flag, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    return endWith(`${error.message}\n\n${help}`, 1);
  }
}

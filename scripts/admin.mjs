/**
 * Implements `npm run admin`, the command line of the server's administrator. `reset-password` restores access when no administrator can sign in; `record-backup`
 * records the end of a backup; `reseal-secrets` encrypts secrets with a new key; `verify-evidence` finds lines of logs and of money that were changed in the database;
 * `rotate-signing-key` replaces the key of access tokens; `install-plugin` brings a package to the running server.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { home, loadServer } from './built-server.mjs';

const help = `npm run admin -- reset-password ACCOUNT [--tenant CODE] [--second-factor]

Gives an account a one-time password, which is printed only here, ends its sessions and forgets its failed sign-ins.
  --tenant CODE    the tenant of the account (default 000000)
  --second-factor  also removes the second factor

npm run admin -- record-backup

Records a backup that was made without npm run backup. The setup checklist of the console counts it for seven days.

npm run admin -- reseal-secrets

Encrypts all stored secrets with SECRET_KEY that are still encrypted with a key of SECRET_KEY_FALLBACKS, and signs the seals of logs and money with it.

npm run admin -- verify-evidence [--tenant CODE]

Compares logs and money with their seals, and names what was edited, inserted or deleted in the database; ends with 1 if anything was.
  --tenant CODE    only the rows of this tenant

npm run admin -- rotate-signing-key [--revoke]

Lets the next key sign access tokens, as soon as other programs can know it. Tokens that were signed before stay valid.
  --revoke         after a leak: removes all keys and signs with a new one at once; all access tokens are refused

npm run admin -- install-plugin FILE

Installs or updates a plugin from a package, on the running server that uses DATA_DIR and on all servers of its database.

npm run admin -- export-person ACCOUNT FILE [--tenant CODE] [--phone NUMBER] [--email ADDRESS]

Writes everything that the server and its plugins hold about a person to a new ZIP archive: person.json, and the files that the person has uploaded.
For someone without an account, leave ACCOUNT out and name them with --phone or --email.

npm run admin -- erase-person ACCOUNT [--tenant CODE] [--phone NUMBER] [--email ADDRESS] [--yes]

Prints what is erased, what stays and why.
  --yes            erases the person: ends the sessions, and deletes or clears their data in all plugins; cannot be undone

On the embedded database, stop the server before all of these commands but install-plugin.`;

/** Seconds within which a running server claims a package, and in which it has installed it. */
const claimSeconds = 60;
const installSeconds = 1800;

const { positionals, values } = readArguments();
if (values.help) end(help, 0);
const [command, account, ...more] = positionals;
const names = { tenantId: values.tenant ?? '000000', phone: values.phone, email: values.email };
const isNamedOtherwise = names.phone !== undefined || names.email !== undefined;
const isKnown = ['record-backup', 'reseal-secrets', 'rotate-signing-key', 'verify-evidence'].includes(command)
  ? !account
  : command === 'erase-person'
    ? more.length === 0 && (account || isNamedOtherwise)
    : command === 'export-person'
      ? account && more.length <= 1 && (more.length === 1 || isNamedOtherwise)
      : ['reset-password', 'install-plugin'].includes(command) && account && more.length === 0;
if (!isKnown) end(help, 1);
// npm changes to the folder of the project.
const file = resolve(process.env.INIT_CWD ?? '.', more[0] ?? account ?? '');
process.chdir(home);
if (command === 'install-plugin') await installPlugin(file);
process.env.NODE_ENV ||= 'production';
if (!process.env.DATABASE_URL && !existsSync(resolve(process.env.DATA_DIR || '.data', 'database'))) {
  end(`No database found in ${resolve(process.env.DATA_DIR || '.data')}. Set DATA_DIR to the directory of the server, or set DATABASE_URL.`, 1);
}

const { backupRecorded, erasePerson, exportPerson, resealStoredSecrets, resetPassword, rotateSigningKey, verifyEvidence } = await loadServer();
if (command === 'reseal-secrets') await reseal();
if (command === 'rotate-signing-key') await rotate();
if (command === 'verify-evidence') await verify();
if (command === 'export-person') await exportOf(more.length === 1 ? { ...names, account } : names);
if (command === 'erase-person') await erase({ ...names, ...(account ? { account } : {}) });
if (command === 'record-backup') {
  const time = await backupRecorded(process.env).catch((error) => end(error.message, 1));
  end(`Recorded a backup of ${time}.`, 0);
}
const tenantId = values.tenant ?? '000000';
const request = { tenantId, account, secondFactor: values['second-factor'] };
const credentials = await resetPassword(process.env, request).catch((error) => end(error.message, 1));
if (!credentials) end(`Account ${account} not found in tenant ${tenantId}.`, 1);
console.log(
  `\n  account   ${credentials.account}\n  password  ${credentials.password}\n            shown only once; must be changed at the first sign-in, before ${credentials.expiresAt}\n`,
);
process.exit(0);

/** Writes what is held about a person to a new file. */
async function exportOf(person) {
  const { name, rows, files } = await exportPerson(process.env, person, file).catch((error) => end(error.message, 1));
  end(`Wrote ${rows} rows and ${files} files of ${name} to ${file}. Keep it as safe as the database, and delete it once it is delivered.`, 0);
}

/** Prints what the erasure of a person deletes and what stays, and carries it out if it is confirmed. */
async function erase(person) {
  const { name, records, files } = await erasePerson(process.env, person, values.yes === true).catch((error) => end(error.message, 1));
  const [verb, clearing, deleting] = values.yes ? ['Erased', 'cleared', 'deleted'] : ['To erase', 'to clear', 'to delete'];
  console.log(`\n${verb}: ${name}\n`);
  for (const { plugin, title, erased, isDeleted, kept, reason, until } of records) {
    if (erased > 0) console.log(`  ${title[1]} (${plugin}): ${erased} ${isDeleted ? deleting : clearing}`);
    if (kept > 0) console.log(`  ${title[1]} (${plugin}): ${kept} stay${reason ? `. ${reason[1]}` : ''}${until ? `. Until: ${until[1]}` : ''}`);
  }
  if (files.erased.length + files.kept > 0)
    console.log(`  Files: ${files.erased.length} ${deleting}, ${files.kept} stay, because rows that stay refer to them`);
  end(values.yes ? '\nDone.' : '\nNothing has been changed. Repeat the command with --yes to erase this person.', 0);
}

/** Encrypts stored secrets with the current key, and says whether another one is still needed. */
async function reseal() {
  const { resealed, unreadable } = await resealStoredSecrets(process.env).catch((error) => end(error.message, 1));
  const counted = resealed === 1 ? '1 secret has been' : `${resealed} secrets have been`;
  if (unreadable.size === 0) end(`${counted} encrypted with SECRET_KEY. No other key is needed: remove SECRET_KEY_FALLBACKS.`, 0);
  const columns = [...unreadable].map(([name, count]) => `  ${name}: ${count}`).join('\n');
  end(`${counted} encrypted with SECRET_KEY. No key of this deployment decrypts these:\n${columns}`, 1);
}

/** Replaces the key that signs access tokens. */
async function rotate() {
  const { kid, signsFrom, hasBegun } = await rotateSigningKey(process.env, { isRevocation: values.revoke }).catch((error) => end(error.message, 1));
  if (values.revoke) end(`All access tokens have been revoked. The key ${kid} signs new ones.`, 0);
  if (hasBegun) end(`The key ${kid} signs access tokens since ${signsFrom}.`, 0);
  end(`The key ${kid} signs access tokens from ${signsFrom} on: it must be published for an hour before.`, 0);
}

/** Compares the rows of logs and of money with their seals, and prints what was verified in each table of each tenant. */
async function verify() {
  const onChain = ({ tenant, table, firstSeal, lastSeal, rows, purged, differences }) => {
    const seals = lastSeal === 0 ? 'no seals' : `seals ${firstSeal}–${lastSeal}`;
    const deleted = purged > 0 ? `, ${purged} deleted by the product` : '';
    console.log(`${tenant.padEnd(12)} ${table.padEnd(16)} ${seals}, ${rows} rows${deleted}: ${differences.length === 0 ? 'as sealed' : 'DIFFERENT'}`);
    for (const difference of differences) console.log(`  ${difference}`);
  };
  const { rows, differences } = await verifyEvidence(process.env, { tenant: values.tenant, onChain }).catch((error) => end(error.message, 1));
  if (differences.length === 0) end(`${rows} rows are as they were sealed.`, 0);
  end(
    `${differences.length === 1 ? '1 difference was' : `${differences.length} differences were`} found. Save the database as it is, and compare it with the seals that you have received.`,
    1,
  );
}

/** Puts a package where the running server looks for new ones, and waits for its answer. */
async function installPlugin(path) {
  if (!existsSync(path)) end(`${path} was not found.`, 1);
  const content = readFileSync(path);
  const folder = join(resolve(process.env.DATA_DIR || '.data'), 'incoming-packages');
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const [archive, answer] = [join(folder, `${name}.tgz`), join(folder, `${name}.json`)];
  mkdirSync(folder, { recursive: true });
  rmSync(answer, { force: true });
  writeFileSync(`${archive}.part`, content);
  renameSync(`${archive}.part`, archive);
  const isClaimed = await holdsWithin(claimSeconds, () => !existsSync(archive));
  if (!isClaimed) {
    rmSync(archive, { force: true });
    end(`No server answered. Start the server whose DATA_DIR contains ${folder}, or install the package on the page Plugins.`, 1);
  }
  const isAnswered = await holdsWithin(installSeconds, () => existsSync(answer));
  if (!isAnswered) end(`The server has not finished the installation within ${installSeconds / 60} minutes. Its output has the reason.`, 1);
  const { message, isInstalled } = JSON.parse(readFileSync(answer, 'utf8'));
  rmSync(answer);
  end(message, isInstalled ? 0 : 1);
}

/** Waits until a condition holds; resolves false after the given time. */
async function holdsWithin(seconds, condition) {
  const deadline = performance.now() + seconds * 1000;
  while (!condition() && performance.now() < deadline) await pause(200);
  return condition();
}

function readArguments() {
  try {
    const options = {
      tenant: { type: 'string' },
      'second-factor': { type: 'boolean', default: false },
      revoke: { type: 'boolean', default: false },
      phone: { type: 'string' },
      email: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    };
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return end(`${error.message}\n\n${help}`, 1);
  }
}

function end(text, code) {
  (code === 0 ? console.log : console.error)(`\n${text}\n`);
  return process.exit(code);
}

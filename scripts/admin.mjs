/**
 * Implements `npm run admin`, the command line of the server's administrator. `reset-password` restores access when no administrator can sign in; `record-backup`
 * records the end of a backup; `install-plugin` brings a package to the running server.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { home, loadServer } from './built-server.mjs';

const help = `npm run admin -- reset-password ACCOUNT [--tenant CODE] [--second-factor]

Gives an account a one-time password, which is printed here alone, ends its sessions and forgets its failed sign-ins.
  --tenant CODE    the tenant of the account (default 000000)
  --second-factor  takes the second factor off as well

npm run admin -- record-backup

Records a backup that was made without npm run backup. The setup checklist of the console counts it for seven days.

On the embedded database the server has to be stopped meanwhile; with DATABASE_URL it may run.

npm run admin -- install-plugin FILE

Installs a package of a plugin, or the update that it is, into the running server of DATA_DIR, and on all servers of its database.`;

/** Seconds after which no server is expected to answer. */
const answerSeconds = 60;

const { positionals, values } = readArguments();
if (values.help) end(help, 0);
const [command, account, ...more] = positionals;
const isKnown = command === 'record-backup' ? !account : ['reset-password', 'install-plugin'].includes(command) && account && more.length === 0;
if (!isKnown) end(help, 1);
// npm changes to the folder of the project.
const file = resolve(process.env.INIT_CWD ?? '.', account ?? '');
process.chdir(home);
if (command === 'install-plugin') await installPlugin(file);
process.env.NODE_ENV ||= 'production';
if (!process.env.DATABASE_URL && !existsSync(resolve(process.env.DATA_DIR || '.data', 'database'))) {
  end(`No database found in ${resolve(process.env.DATA_DIR || '.data')}. Set DATA_DIR to the directory of the server, or set DATABASE_URL.`, 1);
}

const { backupRecorded, resetPassword } = await loadServer();
if (command === 'record-backup') {
  const time = await backupRecorded(process.env).catch((error) => end(error.message, 1));
  end(`Recorded a backup of ${time}.`, 0);
}
const request = { tenantId: values.tenant, account, secondFactor: values['second-factor'] };
const given = await resetPassword(process.env, request).catch((error) => end(error.message, 1));
if (!given) end(`Account ${account} not found in tenant ${values.tenant}.`, 1);
console.log(
  `\n  account   ${given.account}\n  password  ${given.password}\n            shown only once; must be changed at the first sign-in, before ${given.expiresAt}\n`,
);
process.exit(0);

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
  for (let left = answerSeconds; left > 0 && !existsSync(answer); left -= 0.2) await pause(200);
  if (!existsSync(answer)) {
    rmSync(archive, { force: true });
    end(`No server answered. Start the server whose DATA_DIR contains ${folder}, or install the package on the page Plugins.`, 1);
  }
  const { message, isInstalled } = JSON.parse(readFileSync(answer, 'utf8'));
  rmSync(answer);
  end(message, isInstalled ? 0 : 1);
}

function readArguments() {
  try {
    const options = {
      tenant: { type: 'string', default: '000000' },
      'second-factor': { type: 'boolean', default: false },
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

/** Runs npm without a shell, and explains its failures. It uses Node built-ins only, so it runs on a fresh clone. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fail } from './steps.mjs';

/**
 * Runs npm in a folder and ends this process with a message on failure. The output of npm is shown only where no message is known for it. Ctrl-C ends npm at once;
 * otherwise it would still be restoring the folder while the next start installs into it.
 */
export async function runNpm(args, { cwd, environment = {} }) {
  const [command, ...first] = npmCommand();
  const all = [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn(command, all, { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...environment } });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const stop = () => child.kill('SIGKILL');
  for (const signal of signals) process.on(signal, stop);
  const { status, signal, error } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('close', (status, signal) => resolve({ status, signal }));
  });
  for (const each of signals) process.off(each, stop);
  if (status === 0) return;
  if (signal || status > 128) process.exit(130);
  const isMissing = error?.code === 'ENOENT';
  fail(isMissing ? `npm was not found: install it with Node.js from https://nodejs.org ${retryHint}.` : npmFailure(output, status));
}

/** Runs npm to its end and returns its `{ status, stdout, stderr }`. */
export function spawnNpm(args, options) {
  const [command, ...first] = npmCommand();
  return spawnSync(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
}

/**
 * Returns the program and the first arguments that run npm. On Windows npm is a script that only a shell can run, so its JavaScript is run instead where it is
 * found.
 */
export function npmCommand(environment = process.env) {
  const own = environment.npm_execpath ?? '';
  const onPath = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const beside = [dirname(process.execPath), ...onPath].flatMap((folder) => [
    join(folder, 'node_modules/npm/bin/npm-cli.js'),
    join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
  ]);
  const script = [...(/npm-cli\.c?js$/.test(own) ? [own] : []), ...beside].find((path) => existsSync(path));
  return script ? [process.execPath, realpathSync(script)] : ['npm'];
}

const signals = ['SIGINT', 'SIGTERM'];
const retryHint = 'and run the same command again';
const network = /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|UND_ERR\w*|EPROTO|\w*CERT\w*)$/;
const remedies = {
  ENOSPC: `the disk is full. Free some space ${retryHint}.`,
  EACCES: `this user may not write to the folder of the project. Change its owner ${retryHint}.`,
  EROFS: `the folder of the project is read-only. Copy it to one that can be written ${retryHint}.`,
  EPERM: `a file of node_modules may not be changed. Close the programs that use it ${retryHint}.`,
  EBUSY: `a file of node_modules is in use. Close the programs that use it ${retryHint}.`,
  EUSAGE: `package-lock.json does not fit package.json. Restore both from the repository ${retryHint}.`,
};

/** Returns a message for the output of a failed npm run; where the remedy is unknown the output follows it. */
export function npmFailure(output, ending) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1] ?? '';
  const registry = /request to (https?:\/\/[^\s/]+)/.exec(output)?.[1];
  if (network.test(code)) {
    const from = registry ? ` from ${new URL(registry).origin}` : '';
    return `Packages could not be downloaded${from} (${code}): connect to the network, or set a registry with "npm config set registry ADDRESS", ${retryHint}.`;
  }
  if (code in remedies) return `Packages could not be installed: ${remedies[code]}`;
  return [`Packages could not be installed: npm ended with ${ending}.`, ...output.trim().split('\n').slice(0, 20)].join('\n').trim();
}

/** Implements `npm start`: goes from a fresh clone to a running product. Installs and builds what has changed, starts the server, and prints the sign-in address. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { announce, startBuilt } from './announce.mjs';
import { ensureDemo, wantedDemo } from './demo.mjs';
import { freePort, portProblem } from './port.mjs';
import { ensureBuilt, ensureInstalled, isBuilt, isInstalled, output, root } from './prepare.mjs';
import { startHelp } from './settings.mjs';
import { fail, stepPrinter } from './steps.mjs';
import { isSupervised, reportStarted, supervise } from './supervise.mjs';

const defaultPort = 8080;
const host = process.env.HOST || '0.0.0.0';

const options = readOptions();
if (options.help) {
  console.log(startHelp());
  process.exit(0);
}
process.chdir(root);
if (isSupervised()) await serve(...process.env.MARQUEE_STEP.split('/').map(Number));
else await prepare();

/** Prepares the start. The server itself then runs in a process of its own, so that it can be restarted. */
async function prepare() {
  const problem = process.env.PORT && (await portProblem(process.env.PORT, host));
  if (problem) fail(problem);
  const pending = [!isInstalled(), !isInstalled() || !isBuilt(), wantedDemo() !== undefined, true];
  const count = pending.filter(Boolean).length;
  const step = stepPrinter(count);
  await ensureInstalled(step);
  ensureBuilt(step);
  ensureDemo(step);
  process.env.NODE_ENV ||= 'production';
  process.env.CONSOLE_DIR ||= join(output(), 'console');
  process.env.PORT ||= String(await choosePort());
  supervise(fileURLToPath(import.meta.url), process.argv.slice(2), { MARQUEE_STEP: `${count - 1}/${count}` });
}

async function serve(previous, count) {
  if (options.safe) process.env.SAFE_MODE = 'on';
  const server = pathToFileURL(join(output(), 'server/main.js')).href;
  const texts = isNewDatabase() ? ['Preparing the database', 'Database prepared'] : ['Starting the server', 'Server started'];
  const step = stepPrinter(count, previous);
  announce(await step(...texts, () => startBuilt(server, 'The build or its packages are incomplete: remove the folder dist and run npm start again.')));
  reportStarted();
}

/** Rejects arguments that `npm start` does not know. */
function readOptions() {
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ options: { demo: flag, 'demo-scale': { type: 'string' }, safe: flag, help: { ...flag, short: 'h' } } }).values;
  } catch (error) {
    if (process.argv.some((argument) => /^--manifest\b/.test(argument)))
      return fail(
        'npm start runs the deployment of plugins.manifest.json. For another: npm run build -- --manifest FILE --output FOLDER, then node FOLDER/start.mjs.',
      );
    return fail(`${error.message.split(/\. (?=To specify)/)[0].replace(/\.$/, '')}. "npm start -- --help" lists the options.`);
  }
}

async function choosePort() {
  const port = await freePort(defaultPort, host);
  if (port === undefined) fail(`No port from ${defaultPort} to ${defaultPort + 99} is free. Set PORT to another one.`);
  if (port !== defaultPort) console.log(`Port ${defaultPort} is in use by another program, so the server uses ${port}. Set PORT to choose a port.`);
  return port;
}

function isNewDatabase() {
  if (process.env.DATABASE_URL) return false;
  const folder = resolve(process.env.DATA_DIR || '.data', 'database');
  return existsSync(join(folder, 'postgres.unfinished')) || !existsSync(join(folder, 'postgres/PG_VERSION'));
}

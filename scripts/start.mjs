/** `npm start`: from a fresh clone to a running product. Installs, builds, starts, and says where to sign in. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';

process.chdir(root);
ensureInstalled();
ensureBuilt();

process.env.NODE_ENV ??= 'production';
process.env.CONSOLE_DIR ??= join(root, 'dist/console');
process.env.PORT = String(await freePort(Number(process.env.PORT ?? 8080)));

const { startServer } = await import(pathToFileURL(join(root, 'dist/server/main.js')).href);
const started = await startServer(process.env).catch((error) => {
  console.error(`\n${error.message}\n`);
  process.exit(1);
});

const { address, firstSignIn } = started;
console.log(`\n  Marquee runs at ${address}\n`);
if (firstSignIn) {
  console.log(`  account   ${firstSignIn.account}`);
  console.log(`  password  ${firstSignIn.password ?? 'the one given in ADMIN_PASSWORD'}`);
  if (firstSignIn.password) console.log('            shown this once; it must be changed at the first sign-in');
  console.log('');
}
console.log('  Ctrl-C stops it.\n');

/** The wanted port, or the next one nobody listens on. */
async function freePort(wanted) {
  for (let port = wanted; port < wanted + 100; port += 1) {
    if (port === 0 || (await isFree(port))) return port;
  }
  throw new Error(`No free port between ${wanted} and ${wanted + 99}. Set PORT to another one.`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, process.env.HOST ?? '0.0.0.0', () => probe.close(() => resolve(true)));
  });
}

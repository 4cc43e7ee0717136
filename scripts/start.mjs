/** `npm start`: from a fresh clone to a running product. Installs, builds, starts, and says where to sign in. With `--demo`, on the data of a made-up company; with `--safe`, with core plugins alone. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureDemo } from './demo.mjs';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';

process.chdir(root);
ensureInstalled();
ensureBuilt();
ensureDemo();

process.env.NODE_ENV ??= 'production';
process.env.CONSOLE_DIR ??= join(root, 'dist/console');
process.env.PORT = String(await freePort(Number(process.env.PORT ?? 8080)));
if (process.argv.includes('--safe')) process.env.SAFE_MODE = 'on';
// What is meant for this script is not meant for that one.
process.argv.splice(2);
await import('./serve.mjs');

/** The wanted port, or the next one nobody listens on; 0 leaves the choice to the system. */
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
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}

/** Starts the deployment in this folder: `node start.mjs`. Settings come from the environment and are listed in docs/operating.md of the project. */
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
start();

async function start() {
  const { fileURLToPath } = await import('node:url');
  const { isSupervised, reportStarted, supervise } = await import('./supervise.mjs');
  if (!isSupervised()) return supervise(fileURLToPath(import.meta.url), process.argv.slice(2));
  const { announce, startBuilt } = await import('./announce.mjs');
  const folder = fileURLToPath(new URL('.', import.meta.url));
  process.env.NODE_ENV = process.env.NODE_ENV || 'production';
  process.env.CONSOLE_DIR = process.env.CONSOLE_DIR || fileURLToPath(new URL('console', import.meta.url));
  if (process.argv.includes('--safe')) process.env.SAFE_MODE = 'on';
  announce(await startBuilt(new URL('server/main.js', import.meta.url).href, `To install its packages, run npm install --omit=dev in ${folder}`));
  reportStarted();
}

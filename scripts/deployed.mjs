/** Starts the deployment in this folder: `node start.mjs`. Settings come from the environment; docs/operating.md of the project lists them. */
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
start();

async function start() {
  const { fileURLToPath } = await import('node:url');
  const { announce, startBuilt } = await import('./announce.mjs');
  const folder = fileURLToPath(new URL('.', import.meta.url));
  process.env.NODE_ENV = process.env.NODE_ENV || 'production';
  process.env.CONSOLE_DIR = process.env.CONSOLE_DIR || fileURLToPath(new URL('console', import.meta.url));
  if (process.argv.includes('--safe')) process.env.SAFE_MODE = 'on';
  announce(await startBuilt(new URL('server/main.js', import.meta.url).href, `Its packages are installed with: npm install --omit=dev, in ${folder}`));
}

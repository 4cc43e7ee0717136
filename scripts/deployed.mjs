/** Starts the deployment in this folder: `node start.mjs`. The environment says the rest, as docs/operating.md of the project lists it. */
import { join } from 'node:path';
import { announce } from './announce.mjs';

process.env.NODE_ENV ??= 'production';
process.env.CONSOLE_DIR ||= join(import.meta.dirname, 'console');
if (process.argv.includes('--safe')) process.env.SAFE_MODE = 'on';

try {
  const { startServer } = await import(new URL('./server/main.js', import.meta.url).href);
  announce(await startServer(process.env));
} catch (error) {
  const remedy = error.code === 'ERR_MODULE_NOT_FOUND' ? `\nIts packages are installed with: npm install --omit=dev, in ${import.meta.dirname}` : '';
  console.error(`\n${error.message}${remedy}\n`);
  process.exit(1);
}

/** Runs a built server in this process and says where to sign in. The first argument names the build; it is the released one unless said. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { announce } from './announce.mjs';
import { root } from './prepare.mjs';

const build = resolve(root, process.argv[2] ?? 'dist/server/main.js');
const { startServer } = await import(pathToFileURL(build).href);

try {
  announce(await startServer(process.env));
} catch (error) {
  console.error(`\n${error.message}\n`);
  process.exit(1);
}

/** Runs a built server in this process and prints the sign-in address. The first argument names the build; the default is the release build. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { announce, startBuilt } from './announce.mjs';
import { root } from './prepare.mjs';

const build = resolve(root, process.argv[2] ?? 'dist/server/main.js');
announce(await startBuilt(pathToFileURL(build).href, 'The build or its packages are incomplete: run npm run build.'));

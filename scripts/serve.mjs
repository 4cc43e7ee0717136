/** Runs a built server in this process and says where to sign in. The first argument names the build; it is the released one unless said. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

const build = resolve(root, process.argv[2] ?? 'dist/server/main.js');
const { startServer } = await import(pathToFileURL(build).href);

try {
  announce(await startServer(process.env));
} catch (error) {
  console.error(`\n${error.message}\n`);
  process.exit(1);
}

function announce({ address, firstSignIn }) {
  console.log(`\n  Marquee runs at ${process.env.PUBLIC_ADDRESS ?? address}\n`);
  if (firstSignIn) {
    console.log(`  account   ${firstSignIn.account}`);
    console.log(`  password  ${firstSignIn.password ?? 'the one given in ADMIN_PASSWORD'}`);
    if (firstSignIn.password) console.log('            shown this once; it must be changed at the first sign-in');
    console.log('');
  }
  console.log('  Ctrl-C stops it.\n');
}

/** Every npm command begins here: `node scripts/run.mjs build --packages` checks the version of Node.js, installs what is missing, and runs `build.mjs`. */
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
run(process.argv.splice(2, 1)[0]);

async function run(command) {
  // A start counts its steps, and has more to check before the first of them.
  if (command !== 'start') await import('./prepare.mjs').then(({ ensureInstalled }) => ensureInstalled());
  await import(`./${command}.mjs`);
}

/** Entry of every npm command: `node scripts/run.mjs build --packages` checks the version of Node.js, installs missing packages, and runs `build.mjs`. */
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
run(process.argv.splice(2, 1)[0]);

async function run(command) {
  // `start` prints numbered steps, and checks more before the first of them.
  if (command !== 'start') await import('./prepare.mjs').then(({ ensureInstalled }) => ensureInstalled());
  // `pack:sdk` is `sdk/pack.mjs`.
  await import(`./${command.split(':').reverse().join('/')}.mjs`);
}

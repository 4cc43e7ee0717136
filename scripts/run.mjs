/** Every npm command begins here: `node scripts/run.mjs start --safe` runs `scripts/start.mjs --safe`, once the version of Node.js has been checked. */
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const [command] = process.argv.splice(2, 1);
import(`./${command}.mjs`);

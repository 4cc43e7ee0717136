/** `npm run plugin`: commands for authors of plugins and for those who decide which plugins a deployment has. They are in `scripts/plugin`. */
import { runCommandLine } from './plugin/command-line.mjs';

process.exitCode = await runCommandLine(process.argv.slice(2));

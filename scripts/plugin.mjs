/** Implements `npm run plugin`, the commands for authors of plugins and for operators who choose the plugins of a deployment. They are in `scripts/plugin`. */
import { runCommandLine } from './plugin/command-line.mjs';

process.exitCode = await runCommandLine(process.argv.slice(2));

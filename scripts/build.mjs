/** `npm run build`: console and server into `dist/`, text files compressed. `--manifest FILE` builds another deployment, `--output FOLDER` to another place. */
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

const { values } = parseArgs({ options: { manifest: { type: 'string' }, output: { type: 'string' } } });
if (values.manifest) process.env.MARQUEE_MANIFEST = values.manifest;
if (values.output) process.env.MARQUEE_OUTPUT = values.output;

ensureInstalled();
ensureBuilt();

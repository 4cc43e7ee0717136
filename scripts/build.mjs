/** `npm run build`: console and server into `dist/`, text files compressed. `--manifest FILE` builds another deployment. */
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

const { values } = parseArgs({ options: { manifest: { type: 'string' } } });
if (values.manifest) process.env.MARQUEE_MANIFEST = values.manifest;

ensureInstalled();
ensureBuilt();

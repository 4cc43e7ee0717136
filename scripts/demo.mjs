/** Implements `npm start -- --demo`: fills a new data directory with demo data before the server starts on it. A directory that has the data is left unchanged. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from './prepare.mjs';
import { fail, stepPrinter } from './steps.mjs';

/** Returns the directory and the size of the requested demo data that is still to be written. Ends the process with a message where demo data is not allowed. */
export function wantedDemo() {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false }, 'demo-scale': { type: 'string', default: '1' } }, strict: false });
  if (!values.demo) return undefined;
  const directory = resolve(process.env.DATA_DIR || join(root, '.data'));
  if (existsSync(join(directory, 'demo'))) return undefined;
  if (process.env.DATABASE_URL) fail('Demo data requires the embedded database. Start without DATABASE_URL.');
  if (!(Number(values['demo-scale']) > 0 && Number(values['demo-scale']) <= 1)) fail('--demo-scale is a number above 0 and up to 1.');
  const others = filesOf(directory).filter((name) => name !== 'filling');
  if (others.length > 0) fail(`${directory} already contains data. Use an empty folder for demo data: DATA_DIR=.demo npm start -- --demo`);
  return { directory, scale: values['demo-scale'] };
}

/** Fills the directory if demo data is requested and still to be written. */
export function ensureDemo(step = stepPrinter()) {
  const demo = wantedDemo();
  if (!demo) return process.argv.includes('--demo') ? console.log('The demo data already exists.') : undefined;
  step('Creating half a year of demo data; this takes some minutes', 'Demo data created', () => {
    mkdirSync(demo.directory, { recursive: true });
    run(process.execPath, [join(root, 'scripts/demo/fill.mjs'), demo.directory, demo.scale]);
    writeFileSync(join(demo.directory, 'demo'), '');
  });
}

function filesOf(directory) {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    return fail(`DATA_DIR ${directory} is not a readable folder (${error.code}). Set DATA_DIR to another one.`);
  }
}

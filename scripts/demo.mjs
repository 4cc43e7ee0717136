/** `npm start -- --demo`: fills a new data directory with a made-up company before the server starts on it; one that is filled already is left as it is. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

/** Ends the process with a sentence where demo data may not be written. */
export function ensureDemo() {
  const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false }, 'demo-scale': { type: 'string', default: '1' } }, strict: false });
  if (!values.demo) return;
  const directory = resolve(process.env.DATA_DIR || join(root, '.data'));
  const mark = join(directory, 'demo');
  if (existsSync(mark)) return console.log('The demo data is there already.');
  if (process.env.DATABASE_URL) refuse('Demo data is for the embedded database. Start without DATABASE_URL.');
  mkdirSync(directory, { recursive: true });
  const others = readdirSync(directory).filter((name) => name !== 'filling');
  if (others.length > 0)
    refuse(`${directory} holds data already, and demo data is never mixed with it. Name another folder: DATA_DIR=.demo npm start -- --demo`);
  if (!(Number(values['demo-scale']) > 0 && Number(values['demo-scale']) <= 1)) refuse('--demo-scale is a number above 0 and up to 1.');
  console.log('Filling in half a year of a made-up company; this takes some minutes …');
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/demo/fill.mjs'), directory, values['demo-scale']], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, '');
}

function refuse(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

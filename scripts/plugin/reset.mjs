/** Implements `reset`: drops what the migrations of a plugin have created in a development database, and applies them again. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { pluginOf } from '../plugin-sources.mjs';
import { CommandError, count, fromRoot, listedEntries, manifestName } from './deployment.mjs';

export async function run({ ids: [id], values: { yes } }) {
  if (process.env.NODE_ENV === 'production') throw new CommandError('reset drops tables, so it is refused with NODE_ENV=production.');
  const plugins = listedEntries().map(pluginOf);
  const plugin = plugins.find((each) => each.id === id);
  if (!plugin) throw new CommandError(`Plugin ${id} not found. ${manifestName()} lists ${plugins.map((each) => each.id).join(', ')}.`);
  const { planPluginReset } = await import(pathToFileURL(await buildDatabase()).href);
  const planned = await planPluginReset(process.env, id, plugins.map(installed));
  try {
    if (planned.refusals.length > 0) {
      throw new CommandError(
        `${id} cannot be reset:\n${planned.refusals.map((each) => `  ${each}`).join('\n')}\nDelete these rows, or reset the plugin that has them first.`,
      );
    }
    for (const line of losses(id, planned)) console.log(line);
    if (!yes && !(await isConfirmed(id))) throw new CommandError('Nothing was changed.');
    const applied = await planned.confirm().catch((error) => {
      throw new CommandError(`${id} was not reset, and nothing was changed: ${error.message}${error.detail ? `\n${error.detail}` : ''}`);
    });
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : `${id} has no migrations.`);
    requestServerRestart();
  } finally {
    await planned.close();
  }
}

/** Builds the part of the server that works with databases; unlike a whole build it takes a second and needs no plugin that compiles. */
async function buildDatabase() {
  process.env.MARQUEE_OUTPUT = 'dist/development/reset';
  process.env.NODE_ENV = 'development';
  const { createRsbuild, loadConfig, mergeRsbuildConfig } = await import('@rsbuild/core');
  const { content } = await loadConfig({ cwd: fromRoot('.') });
  delete content.environments.node.source.entry.main;
  const database = { source: { entry: { database: './src/server/host/development/database.ts' } } };
  const config = mergeRsbuildConfig(content, { mode: 'development', logLevel: 'warn', environments: { node: database } });
  const { close } = await (await createRsbuild({ cwd: fromRoot('.'), config, environment: ['node'] })).build();
  await close();
  return fromRoot('dist/development/reset/server/database.js');
}

function installed({ id, files: { migrations: folder } }) {
  const files = folder ? readdirSync(folder).filter((file) => file.endsWith('.sql')) : [];
  return { plugin: { id }, migrations: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])) };
}

/** Returns lines with everything that is dropped. */
function losses(id, { objects: { tables, ...others }, rows, applied }) {
  const kinds = { views: 'view', types: 'type', sequences: 'sequence', routines: 'function' };
  return [
    `This drops what ${count(applied.length, 'migration')} of ${id} created:`,
    ...tables.map((table) => `  table ${table} with ${count(rows.get(table), 'row')}`),
    ...Object.entries(kinds).flatMap(([kind, name]) => others[kind].map((each) => `  ${name} ${each}`)),
    `Rows that they wrote into tables of others stay. Its initial rows are written again at the next start.`,
  ];
}

async function isConfirmed(id) {
  if (!process.stdin.isTTY) throw new CommandError(`To confirm without a terminal: npm run plugin -- reset ${id} --yes`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`Type ${id} to confirm: `);
  lines.close();
  return answer.trim() === id;
}

/** Lets a running `npm run dev` replace its server, which caches the tables. */
function requestServerRestart() {
  const folder = resolve(fromRoot('.'), process.env.DATA_DIR || '.data', 'development');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'reset'), new Date().toISOString());
}

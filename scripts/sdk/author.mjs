/** Commands of an author whose plugin has a folder of its own: `marquee COMMAND` in that folder. The product with its public modules is the package that contains this file. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../npm.mjs';
import { packageCommand, root } from '../prepare.mjs';

const usage = `marquee COMMAND, in the folder of a plugin

  dev              starts the product with the plugin, on PORT (8080), and replaces what changes
  test [FILE …]    runs the tests of the plugin on the embedded database
  check [--fix] [--rule NAME] [--failed]
                   judges the plugin by the rules for plugins
  pack [--key FILE] builds the plugin and packs it for deployments, signed with the key
  key FILE         makes a key that signs packages`;

const folder = process.cwd();
const [command, ...args] = process.argv.slice(2);
const commands = { dev, test, check, pack, key };
const isHelp = (word) => ['--help', '-h'].includes(word);
if (!command || command === 'help' || process.argv.slice(2).some(isHelp)) console.log(usage);
else if (!Object.hasOwn(commands, command)) end(`Unknown command "${command}".\n\n${usage}`);
else if (!pluginId()) end('This folder is no plugin: its package.json has no "marquee": { "id" }. Create one: npm create marquee-plugin ID');
else process.exitCode = await commands[command]();

/** Returns the id that the package of the folder declares. */
function pluginId() {
  const description = join(folder, 'package.json');
  return existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')).marquee?.id : undefined;
}

/** Runs the product with the plugin; its data stays in `.marquee/data`. */
async function dev() {
  Object.assign(process.env, environment({ DATA_DIR: process.env.DATA_DIR ?? join(folder, '.marquee/data') }));
  process.argv.splice(2);
  await import('../dev.mjs');
}

function test() {
  return runNode([packageCommand('@rstest/core'), 'run', '--root', root, ...args], { NODE_ENV: 'test', PLUGIN_FOLDER: folder });
}

function check() {
  return runNode([join(root, 'scripts/plugin.mjs'), 'check', folder, ...args]);
}

async function pack() {
  const status = runNode([join(root, 'scripts/plugin.mjs'), 'build', folder, ...args]);
  if (status === 0) await runNpm(['pack', '--silent'], { cwd: folder });
  return status;
}

function key() {
  return runNode([join(root, 'scripts/plugin.mjs'), 'key', ...args]);
}

/** Runs a program of Node.js in the folder of the plugin and returns its exit code. */
function runNode(command, more) {
  return spawnSync(process.execPath, command, { stdio: 'inherit', env: { ...process.env, ...environment(more) } }).status ?? 1;
}

/** Returns the settings of a command: a manifest that adds the plugin to that of the product, unless the folder has its own. */
function environment(more = {}) {
  const own = join(folder, 'plugins.manifest.json');
  const manifest = existsSync(own) ? own : join(folder, '.marquee/plugins.manifest.json');
  if (manifest !== own) {
    mkdirSync(join(folder, '.marquee'), { recursive: true });
    writeFileSync(manifest, JSON.stringify({ extends: join(root, 'plugins.manifest.json'), with: [folder] }));
  }
  return { MARQUEE_MANIFEST: manifest, ...more };
}

function end(message) {
  console.error(message);
  process.exitCode = 1;
}

/** What every command needs first: packages as the lock file says, a build as the sources say. Node built-ins alone, so it runs on a fresh clone. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { furnish } from './deployment-folder.mjs';
import { readManifestFile } from './manifest.mjs';
import { pluginOf } from './plugin-sources.mjs';

export const root = resolve(import.meta.dirname, '..');

const sourcesOfBuild = [
  'src',
  'public',
  ...['deployment-modules.ts', 'manifest.mjs', 'plugin-sources.mjs', 'plugin-options.mjs'].map((file) => `scripts/${file}`),
  'rsbuild.config.ts',
  'package-lock.json',
];

/** The folder a build goes to: `MARQUEE_OUTPUT`, else `dist`. */
export const output = () => resolve(root, process.env.MARQUEE_OUTPUT ?? 'dist');

/** Runs a command in the project and ends this process when it fails. */
export function run(command, args, environment = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment }, shell: process.platform === 'win32' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Runs a package's command. */
/** Runs npm and gives back how it ended. */
export const spawnNpm = (args, options = {}) => spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', ...options });

export const runPackage = (name, args, environment) => run(process.execPath, [packageCommand(name), ...args], environment);

/** The file behind a package's command. */
export function packageCommand(name) {
  const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  return join(root, 'node_modules', name, typeof bin === 'string' ? bin : (bin[name.replace(/^@.*\//, '')] ?? Object.values(bin)[0]));
}

/** Installs when the lock file has changed since the last install. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Marquee needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const mark = join(root, 'node_modules/.marquee-installed');
  const hash = hashOf([join(root, 'package-lock.json')]);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return;
  console.log('Installing packages …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { NODE_ENV: 'development' });
  writeFileSync(mark, hash);
}

/** Builds console and server when a source has changed since the last build. */
export function ensureBuilt() {
  const { manifest, files } = readManifestFile();
  const mark = join(output(), '.built');
  const folders = manifest.plugins.map((entry) => pluginOf(entry).folder);
  const hash = hashOf([...sourcesOfBuild, ...files, ...folders].map((path) => resolve(root, path)));
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return;
  console.log('Building …');
  rmSync(join(output(), 'maps'), { recursive: true, force: true });
  runPackage('@rsbuild/core', ['build', '--log-level', 'warn'], { NODE_ENV: 'production', MARQUEE_BUILD: hash.slice(0, 12) });
  run(process.execPath, [join(root, 'scripts/compress.mjs')]);
  furnish(output());
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, hash);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesUnder)) {
    hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, '/').slice(path.length).includes('/node_modules/'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

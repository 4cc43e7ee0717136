/** Turns a build into a folder that runs on its own: adds a start script and either a list or a copy of the packages that the server imports. It needs no npm packages itself. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolvedPath } from './lock-file.mjs';

const root = join(import.meta.dirname, '..');
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Scripts that are copied into a deployment, with their file names there. */
const copiedScripts = {
  ...Object.fromEntries(['admin', 'announce', 'backup', 'backup-report', 'node-version', 'restore', 'supervise'].map((name) => [`${name}.mjs`, `${name}.mjs`])),
  'deployed.mjs': 'start.mjs',
  'deployed-server.mjs': 'built-server.mjs',
};

/** Writes `start.mjs`, the commands of an administrator and `package.json` next to the folders `console` and `server`. */
export function writeStartFiles(folder) {
  for (const [script, file] of Object.entries(copiedScripts)) cpSync(join(import.meta.dirname, script), join(folder, file));
  const { version, engines } = readJson('package.json');
  const dependencies = Object.fromEntries(importedPackages(folder).map((name) => [name, readJson(join('node_modules', name, 'package.json')).version]));
  const scripts = Object.fromEntries(['start', 'admin', 'backup', 'restore'].map((name) => [name, `node ${name}.mjs`]));
  const packageJson = { name: 'marquee-deployment', version, private: true, type: 'module', engines, scripts, dependencies };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
}

/** Copies the packages of the server into the folder, so that a similar machine can run it without an install. */
export function copyPackages(folder) {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
  const { packages } = readJson('package-lock.json');
  for (const path of dependencyPaths(importedPackages(folder), packages)) {
    if (!existsSync(join(root, path))) continue; // An optional package of another platform.
    const source = join(root, path);
    cpSync(source, join(folder, path), { recursive: true, dereference: true, filter: (file) => !file.slice(source.length).includes('node_modules') });
  }
}

/** Returns the names of the packages in `package.json` that the built server imports. */
function importedPackages(folder) {
  const serverFolder = join(folder, 'server');
  const text = readdirSync(serverFolder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(serverFolder, file), 'utf8'))
    .join('\n');
  const imported = new Set([...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'./][^"']*)["']/g)].map(([, name]) => name));
  return Object.keys(readJson('package.json').dependencies).filter((name) =>
    [...imported].some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  );
}

/** Returns the lock file paths of these packages and of all their direct and indirect dependencies. */
function dependencyPaths(names, packages) {
  const found = new Set();
  const visit = (name, from) => {
    const path = resolvedPath(packages, from, name);
    if (!packages[path] || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) visit(dependency, path);
  };
  for (const name of names) visit(name, '');
  return found;
}

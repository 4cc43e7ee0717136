/** Makes a build runnable by itself: adds a start script and either a list or a copy of the packages that the server needs. It uses Node built-ins only. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from './lock-file.mjs';

const root = join(import.meta.dirname, '..');
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Writes `start.mjs` and `package.json` beside console and server. */
export function writeStartFiles(folder) {
  for (const file of ['announce.mjs', 'node-version.mjs', 'supervise.mjs']) cpSync(join(import.meta.dirname, file), join(folder, file));
  cpSync(join(import.meta.dirname, 'deployed.mjs'), join(folder, 'start.mjs'));
  const { version, engines } = read('package.json');
  const dependencies = Object.fromEntries(importedPackages(folder).map((name) => [name, read(join('node_modules', name, 'package.json')).version]));
  const description = { name: 'marquee-deployment', version, private: true, type: 'module', engines, scripts: { start: 'node start.mjs' }, dependencies };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}

/** Copies the packages of the server into the folder, so that a similar machine can run it without an install. */
export function copyPackages(folder) {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
  const { packages } = read('package-lock.json');
  for (const place of reachable(importedPackages(folder), packages)) {
    if (!existsSync(join(root, place))) continue;
    const own = join(root, place);
    cpSync(own, join(folder, place), { recursive: true, dereference: true, filter: (path) => !path.slice(own.length).includes('node_modules') });
  }
}

/** Returns the packages of the project that the built server imports. */
function importedPackages(folder) {
  const home = join(folder, 'server');
  const text = readdirSync(home, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(home, file), 'utf8'))
    .join('\n');
  const imported = new Set([...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'./][^"']*)["']/g)].map(([, name]) => name));
  return Object.keys(read('package.json').dependencies).filter((name) => [...imported].some((one) => one === name || one.startsWith(`${name}/`)));
}

/** Returns the paths of these packages and of all their dependencies in the lock file. */
function reachable(names, packages) {
  const found = new Set();
  const visit = (name, from) => {
    const place = placeOf(packages, from, name);
    if (!packages[place] || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = packages[place];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) visit(needed, place);
  };
  for (const name of names) visit(name, '');
  return found;
}

/** Notices changes of what the modules of a deployment are generated from: manifests, options, the folders of plugins and of their migrations. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pluginOf } from '../plugin-sources.mjs';

/** Pause between two looks. Looking works on every file system and costs a few milliseconds. */
const pauseMs = 200;

/**
 * Calls `onChange` when the files of the deployment that `current` returns have changed and then stayed the same for one look, so that a file that is being written is
 * not read. Returns a function that ends it.
 */
export function watchDeployment(current, onChange) {
  let handled = stateOf(current());
  let seen = handled;
  const timer = setInterval(() => {
    const state = stateOf(current());
    if (state === seen && state !== handled) {
      handled = state;
      onChange();
    }
    seen = state;
  }, pauseMs);
  return () => clearInterval(timer);
}

/** Describes the files of a deployment, so that a difference shows in the text. */
function stateOf({ files, plugins }) {
  const found = plugins.map(located);
  const read = [...files, ...found.flatMap(({ folder, halves, id }) => [...optionFiles(halves.options), ...(id ? [join(folder, 'package.json')] : [])])];
  return JSON.stringify([read.map(changeOf), found.map(({ halves }) => [halves, migrationsOf(halves.migrations)])]);
}

/** Locates the files of a plugin again, because some may have been added or removed. */
function located({ use, options }) {
  try {
    return pluginOf({ use, options });
  } catch ({ message }) {
    // A package.json that is no JSON yet.
    return { id: message, folder: use.replace(/^npm:/, ''), halves: {} };
  }
}

/** Returns the file of the options with those of the plugin that it imports. */
function optionFiles(path, seen = new Set()) {
  if (!path || seen.has(path) || !existsSync(path)) return [...seen];
  seen.add(path);
  if (path.endsWith('.ts'))
    for (const [, file] of readFileSync(path, 'utf8').matchAll(/from ['"](\.[^'"]+)['"]/g)) optionFiles(resolve(dirname(path), file), seen);
  return [...seen];
}

function changeOf(path) {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [path, mtimeMs, size];
}

function migrationsOf(folder) {
  try {
    return readdirSync(folder ?? '').filter((name) => name.endsWith('.sql'));
  } catch {
    return [];
  }
}

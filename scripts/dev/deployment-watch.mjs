/** Notices changes of what the modules of a deployment are generated from: manifests, options, the folders of plugins and of their migrations. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pluginOf } from '../plugin-sources.mjs';

/** Polling works on every file system and costs a few milliseconds. */
const pollIntervalMs = 200;

/**
 * Calls `onChange` when the files of the deployment that `current` returns have changed and were unchanged at the next poll, so that a file that is being written is
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
  }, pollIntervalMs);
  return () => clearInterval(timer);
}

/** Describes the files of a deployment, so that a difference shows in the text. */
function stateOf({ files, plugins }) {
  const found = plugins.map(locate);
  const read = [...files, ...found.flatMap((plugin) => [...optionFiles(plugin.files.options), join(plugin.folder, 'package.json')])];
  return JSON.stringify([read.map(fingerprintOf), found.map((plugin) => [plugin.failure, plugin.files, migrationsOf(plugin.files.migrations)])]);
}

/** Locates the files of a plugin again, because some may have been added or removed. */
function locate({ use, options }) {
  try {
    return pluginOf({ use, options });
  } catch ({ message }) {
    // Its package.json is still being written and not valid JSON yet.
    return { failure: message, folder: use.replace(/^npm:/, ''), files: {} };
  }
}

/** Returns the file of the options with those of the plugin that it imports. */
function optionFiles(path, seen = new Set()) {
  const text = path && !seen.has(path) ? textOf(path) : undefined;
  if (text === undefined) return [...seen];
  seen.add(path);
  if (path.endsWith('.ts')) for (const [, file] of text.matchAll(/from ['"](\.[^'"]+)['"]/g)) optionFiles(resolve(dirname(path), file), seen);
  return [...seen];
}

/** Reads a file; undefined if it has been removed or is being replaced. */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function fingerprintOf(path) {
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

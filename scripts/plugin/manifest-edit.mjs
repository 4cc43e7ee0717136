/** Edits the plugins of a manifest file without changing anything else in it. */
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { manifestPath, readManifestFile } from '../manifest.mjs';
import { idOf, withAbsolutePath } from '../plugin-sources.mjs';
import { count, displayPath, fromRoot, manifestName } from './deployment.mjs';

/** Adds entries to the manifest; an entry that is only excluded by `without` is removed from there instead. */
export const addToManifest = (entries) =>
  edit((file, idIn, base) => {
    for (const entry of entries.map(portable)) {
      const id = idIn(entry);
      if (file.without) file.without = file.without.filter((excluded) => excluded !== id);
      if ([...(file.plugins ?? base()), ...(file.with ?? [])].some((known) => idIn(known) === id)) continue;
      const key = file.plugins ? 'plugins' : 'with';
      file[key] = [...(file[key] ?? []), entry];
    }
  });

/** Removes plugins from the manifest; those of an extended manifest are added to `without`. */
export const removeFromManifest = (ids) =>
  edit((file, idIn, base) => {
    for (const key of ['plugins', 'with']) if (file[key]) file[key] = file[key].filter((entry) => !ids.includes(idIn(entry)));
    const inherited = file.plugins ? [] : base().filter((entry) => ids.includes(idOf(entry)));
    if (inherited.length > 0) file.without = [...new Set([...(file.without ?? []), ...inherited.map(idOf)])];
  });

/** Replaces the backslashes of a path with slashes, which work on every system. */
const portable = (entry) => (entry.startsWith('.') ? entry.replaceAll('\\', '/') : entry);

async function edit(change) {
  const { applyEdits, modify } = await import('jsonc-parser');
  const path = realpathSync(manifestPath());
  const text = readFileSync(path, 'utf8');
  const before = JSON.parse(text);
  const file = structuredClone(before);
  const idIn = (entry) => idOf(withAbsolutePath(entry, dirname(path)));
  change(file, idIn, () => (file.extends ? readManifestFile(resolve(dirname(path), file.extends)).manifest.plugins : []));
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const edited = ['plugins', 'without', 'with']
    .filter((key) => JSON.stringify(file[key]) !== JSON.stringify(before[key]))
    .reduce(
      (result, key) => applyEdits(result, modify(result, [key], key === 'plugins' || file[key].length > 0 ? file[key] : undefined, { formattingOptions })),
      text,
    );
  replaceFile(path, edited);
  console.log(`${manifestName()}: ${count(readManifestFile().manifest.plugins.length, 'plugin')}. To build and start it: npm start`);
  for (const problem of brokenDeployments()) console.log(`! ${problem}`);
}

/** Replaces the file after the new text has been read successfully as a manifest: a crash or a mistake keeps the old file. */
function replaceFile(path, text) {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text);
    readManifestFile(draft);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns messages about manifests in `deployments` that have become invalid, such as those that exclude a plugin which is no longer listed. */
function brokenDeployments() {
  return deploymentManifests().flatMap((path) => {
    try {
      readManifestFile(path);
      return [];
    } catch (error) {
      return [error.message];
    }
  });
}

/** Returns the paths of the manifests in `deployments`. */
export const deploymentManifests = () => filesIn(fromRoot('deployments')).map((file) => join(fromRoot('deployments'), file));

function filesIn(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Returns the manifests of the project that list this plugin, as paths for messages. */
export function manifestsListing(id) {
  const paths = [...new Set([manifestPath(), fromRoot('plugins.manifest.json'), ...deploymentManifests()])];
  return paths.filter((path) => isListedIn(path, id)).map(displayPath);
}

/** Returns true if a manifest lists the plugin; one that cannot be read counts if its text contains the name. */
function isListedIn(path, id) {
  try {
    return readManifestFile(path).manifest.plugins.some((entry) => idOf(entry) === id);
  } catch {
    return readFileSync(path, 'utf8').includes(`"${id}"`);
  }
}

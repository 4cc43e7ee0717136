/** Changes the plugins of a manifest in its file, which keeps everything else as it is written there. */
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { manifestPath, readManifestFile } from '../manifest.mjs';
import { idOf, placed } from '../plugin-sources.mjs';
import { count, fromRoot, manifestName, shown } from './deployment.mjs';

/** Adds entries as they are given; one that the file only leaves out is left out no longer. */
export const addToManifest = (entries) =>
  edit((file, idIn, base) => {
    for (const entry of entries.map(portable)) {
      const id = idIn(entry);
      if (file.without) file.without = file.without.filter((left) => left !== id);
      if ([...(file.plugins ?? base()), ...(file.with ?? [])].some((known) => idIn(known) === id)) continue;
      const key = file.plugins ? 'plugins' : 'with';
      file[key] = [...(file[key] ?? []), entry];
    }
  });

/** Takes plugins out; those of a manifest that this one extends are named in `without`. */
export const removeFromManifest = (ids) =>
  edit((file, idIn, base) => {
    for (const key of ['plugins', 'with']) if (file[key]) file[key] = file[key].filter((entry) => !ids.includes(idIn(entry)));
    const inherited = file.plugins ? [] : base().filter((entry) => ids.includes(idOf(entry)));
    if (inherited.length > 0) file.without = [...new Set([...(file.without ?? []), ...inherited.map(idOf)])];
  });

/** A path that was typed with backslashes is written so that every system reads it. */
const portable = (entry) => (entry.startsWith('.') ? entry.replaceAll('\\', '/') : entry);

async function edit(change) {
  const { applyEdits, modify } = await import('jsonc-parser');
  const path = realpathSync(manifestPath());
  const text = readFileSync(path, 'utf8');
  const before = JSON.parse(text);
  const file = structuredClone(before);
  const idIn = (entry) => idOf(placed(entry, dirname(path)));
  change(file, idIn, () => (file.extends ? readManifestFile(resolve(dirname(path), file.extends)).manifest.plugins : []));
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const edited = ['plugins', 'without', 'with']
    .filter((key) => JSON.stringify(file[key]) !== JSON.stringify(before[key]))
    .reduce((so, key) => applyEdits(so, modify(so, [key], key === 'plugins' || file[key].length > 0 ? file[key] : undefined, { formattingOptions })), text);
  replaceFile(path, edited);
  console.log(`${manifestName()}: ${count(readManifestFile().manifest.plugins.length, 'plugin')}. To build and start it: npm start`);
  for (const problem of brokenDeployments()) console.log(`! ${problem}`);
}

/** The file is read as a manifest before it takes the place of the one that was there: a crash, or a mistake, leaves the old one. */
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

/** Sentences about manifests of `deployments` that cannot be read any more, such as those that leave out what is no longer listed. */
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

/** Manifests of `deployments`. */
export const deploymentManifests = () => filesIn(fromRoot('deployments')).map((file) => join(fromRoot('deployments'), file));

function filesIn(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    return [];
  }
}

/** Manifests of the project that list this plugin, as messages name them. */
export function manifestsListing(id) {
  const paths = [...new Set([manifestPath(), fromRoot('plugins.manifest.json'), ...deploymentManifests()])];
  return paths.filter((path) => isListedIn(path, id)).map(shown);
}

/** A manifest that cannot be read lists the plugin as far as anybody knows when its text names it. */
function isListedIn(path, id) {
  try {
    return readManifestFile(path).manifest.plugins.some((entry) => idOf(entry) === id);
  } catch {
    return readFileSync(path, 'utf8').includes(`"${id}"`);
  }
}

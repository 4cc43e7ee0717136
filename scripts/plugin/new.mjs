/** Implements `new`: writes a minimal plugin, and enables it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiled } from '../compiled.mjs';
import { readManifestFile } from '../manifest.mjs';
import { CommandError, fromRoot, manifestName } from './deployment.mjs';
import { moveTogether, withWorkFolder } from './folders.mjs';
import { addToManifest } from './manifest-edit.mjs';
import { assertPluginId, titlesOf } from './plugin-names.mjs';

/** Device names that Windows reserves. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/;

export async function run({ ids: [id], values: { title, under = 'base' } }) {
  assertFree(id);
  const titles = titlesOf(id, title);
  readManifestFile();
  const { menuGroups, scaffold } = await compiled('src/shared/contract/menu-groups.ts', 'src/plugins/codegen/server/emit/scaffold.ts');
  if (!Object.hasOwn(menuGroups, under)) throw new CommandError(`Menu group "${under}" not found. Available: ${Object.keys(menuGroups).join(', ')}.`);
  const files = scaffold({ id, title: titles, under });
  await withWorkFolder(async (folder) => {
    for (const { path, text } of files) write(join(folder, path), text);
    const folders = foldersOf(id).map((path) => ({ from: join(folder, path), to: fromRoot(path) }));
    // The manifest is written last, so that it never lists a missing plugin.
    await moveTogether(folders, () => addToManifest([id]));
  });
  for (const { path } of files) console.log(`+ ${path}`);
  console.log(`To see it while you change it: npm run dev\nTo check it: npm run plugin -- check ${id}`);
}

const foldersOf = (id) => [`src/plugins/${id}`, `tests/plugins/${id}`];

function assertFree(id) {
  assertPluginId(id);
  if (devices.test(id)) throw new CommandError(`Windows does not allow a folder called "${id}". Choose another id.`);
  const taken = foldersOf(id).filter((path) => existsSync(fromRoot(path)));
  if (taken.length > 0) throw new CommandError(`${taken.join(' and ')} exists already. Choose another id.`);
  if (readManifestFile().manifest.plugins.some((entry) => (entry.use ?? entry) === id))
    throw new CommandError(`${manifestName()} already lists "${id}", but the folder does not exist. Disable it first: npm run plugin -- disable ${id}`);
  const owner = ownerOf(id.replaceAll('-', '_'));
  if (owner) throw new CommandError(`${owner} has a table or a menu entry called ${id.replaceAll('-', '_')} already. Choose another id.`);
}

/** Returns the file in the source tree that creates a table or a menu entry with this name. */
function ownerOf(name) {
  const declaration = new RegExp(`create table ${name} \\(|\\bcode: '${name}'`);
  const declaring = /\.sql$|menus?\.ts$|menu-[\w-]+\.ts$/;
  const files = readdirSync(fromRoot('src'), { recursive: true, encoding: 'utf8' }).filter((file) => declaring.test(file));
  return files.map((file) => `src/${file.replaceAll('\\', '/')}`).find((path) => declaration.test(readFileSync(fromRoot(path), 'utf8')));
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

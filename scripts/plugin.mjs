/** `npm run plugin`: what a deployment is made of, what a change of it would do, and whether all is well. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { linesOf, planOf } from './deployment-plan.mjs';
import { manifestPath, problemsOf, readManifestFile } from './manifest.mjs';
import { settledOptions } from './plugin-options.mjs';
import { idOf, placed, pluginFile, pluginOf, pluginsOfTree } from './plugin-sources.mjs';
import { ensureBuilt, ensureInstalled, output, root, runPackage } from './prepare.mjs';
import { remoteProblems } from './remote-check.mjs';

const usage = `npm run plugin -- COMMAND [--manifest FILE]

  list [--json]                          the plugins of the deployment, in the order in which they start
  plan --with A,B --without C [--json]   what would change: plugins, menus, permission codes, data, bytes
  new ID [--title 灯具,Lamps] [--under base]
                                         writes a plugin with a list, a form, a table and a test, and enables it
  enable ID …, disable ID …              writes the manifest
  build FOLDER                           makes the package of a plugin that stands in a folder of its own
  check ID                               types, boundaries, contract and tests of one plugin
  upgrade [ID|FOLDER …] [--dry]          rewrites what this version wants otherwise, in the plugins and their tests
  doctor                                 what keeps this deployment from being built and run`;

const options = {
  manifest: { type: 'string' },
  with: { type: 'string' },
  without: { type: 'string' },
  json: { type: 'boolean' },
  title: { type: 'string' },
  under: { type: 'string', default: 'base' },
  dry: { type: 'boolean' },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [command, ...ids] = positionals;
if (values.manifest) process.env.MARQUEE_MANIFEST = values.manifest;
const name = () => relative(process.cwd(), manifestPath());
const split = (text = '') => text.split(',').filter(Boolean);
const tell = (value) => console.log(JSON.stringify(value, null, 2));
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const commands = { list, plan, new: begin, build, enable, disable, check, doctor, upgrade };
if (!(command in commands)) end(usage);
try {
  ensureInstalled();
  await commands[command]();
} catch (error) {
  end(error.message);
}

async function list() {
  const { plugins } = await builtFrom(manifestPath(), output());
  const absent = pluginsOfTree().filter((id) => !plugins.some((plugin) => plugin.id === id));
  if (values.json) return tell({ plugins, absent });
  const width = Math.max(...plugins.map(({ id }) => id.length));
  for (const { id, title, version, needs, skipped, menus, codes } of plugins) {
    const facts = [
      `${counted(menus.length, 'page')}, ${counted(codes.length, 'code')}`,
      ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
      ...(skipped ? [`does not run: ${skipped}`] : []),
    ];
    console.log(`${id.padEnd(width)}  ${title[1]} ${version} · ${facts.join(' · ')}`);
  }
  for (const { id, manifest } of readManifestFile().manifest.remotes ?? []) console.log(`${id.padEnd(width)}  fetched by consoles from ${manifest}`);
  if (absent.length > 0) console.log(`\nnot listed: ${absent.join(', ')}`);
}

async function plan() {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-plan-'));
  try {
    const changed = join(folder, 'changed.manifest.json');
    writeFileSync(
      changed,
      JSON.stringify({
        extends: manifestPath(),
        with: split(values.with).map((entry) => placed(entry, dirname(manifestPath()))),
        without: split(values.without),
      }),
    );
    readManifestFile(changed);
    const before = await builtFrom(manifestPath(), output());
    const result = planOf(before, await builtFrom(changed, join(root, 'dist/plan')));
    if (values.json) tell(result);
    else for (const line of linesOf(result)) console.log(line);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(join(root, 'dist/plan'), { recursive: true, force: true });
  }
}

async function begin() {
  const [id = ''] = ids;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.length > 32)
    end('A plugin is called by small letters, digits and single hyphens, such as loyalty-points.');
  const files = ['src/plugins', 'tests/plugins'].map((folder) => join(folder, id)).filter((folder) => existsSync(join(root, folder)));
  if (files.length > 0) end(`${files.join(' and ')} stands there already.`);
  const taken = ownerOf(id.replaceAll('-', '_'));
  if (taken) end(`${taken} has a table or a menu entry of this name already.`);
  const { compiled } = await import('./compiled.mjs');
  const { menuGroups } = await compiled('src/shared/menus.ts');
  if (!menuGroups.some(({ code }) => code === values.under))
    end(`There is no menu group "${values.under}". There are ${menuGroups.map(({ code }) => code).join(', ')}.`);
  const { scaffold } = await compiled('src/plugins/codegen/server/emit/scaffold.ts');
  const spoken = id.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const [zh = spoken, en = spoken] = split(values.title);
  for (const { path, text } of scaffold({ id, title: [zh, en], under: values.under })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`+ ${path}`);
  }
  await enable();
  console.log(`npm run dev shows it; npm run plugin check ${id} judges it.`);
}

async function build() {
  const [folder] = ids;
  if (!folder || !existsSync(folder)) end(`Which folder? npm run plugin -- build examples/loyalty`);
  const { packPlugin } = await import('./plugin-package.mjs');
  const packed = await packPlugin(resolve(folder));
  console.log(`${packed.name} ${packed.version}: the plugin "${packed.id}", in ${join(folder, 'dist')}`);
  if (!packed.source.halves.console) return;
  const { packRemote } = await import('./remote-package.mjs');
  const { file, integrity } = await packRemote(packed);
  console.log(`To be hosted: ${relative(process.cwd(), dirname(file))}. Consoles list it as`);
  console.log(JSON.stringify({ id: packed.id, manifest: `https://…/${packed.id}/manifest.json`, integrity }, null, 2));
}

/** The file of the tree that makes a table or a menu entry of this name. */
function ownerOf(name) {
  const said = new RegExp(`create table ${name} \\(|\\bcode: '${name}'`);
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.sql$|menus?\.ts$|menu-[\w-]+\.ts$/.test(file));
  return files.map((file) => join('src', file)).find((file) => said.test(readFileSync(join(root, file), 'utf8')));
}

async function enable() {
  for (const entry of ids) {
    const { id, missing, problem } = pluginOf(placed(entry, dirname(manifestPath())));
    if (missing) end(`There is no plugin ${id} in ${entry.startsWith('.') ? dirname(entry) : 'src/plugins'}.`);
    if (problem) end(problem);
  }
  await rewrite((listed) => [...listed, ...ids.filter((entry) => !listed.includes(named(entry)))]);
}

async function disable() {
  const { plugins } = await builtFrom(manifestPath(), output());
  const unknown = ids.filter((id) => !plugins.some((plugin) => plugin.id === id));
  if (unknown.length > 0) end(`${name()} does not list ${unknown.join(', ')}.`);
  const left = plugins.filter(({ id, needs }) => !ids.includes(id) && needs.some((need) => ids.includes(need)));
  if (left.length > 0)
    end(
      `${left.map(({ id }) => id).join(', ')} would not run without it. Disable them together: npm run plugin disable ${[...ids, ...left.map(({ id }) => id)].join(' ')}`,
    );
  await rewrite((listed) => listed.filter((id) => !ids.includes(id)));
}

/** What the plugin is called that an entry of the manifest means. */
const named = (entry) => idOf(placed(entry, dirname(manifestPath())));

/** In the file itself, as it is written there; a manifest that extends another says `with` and `without`. */
async function rewrite(changed) {
  if (ids.length === 0) end(usage);
  const { applyEdits, modify } = await import('jsonc-parser');
  const path = manifestPath();
  const text = readFileSync(path, 'utf8');
  const file = JSON.parse(text);
  const before = readManifestFile(path).manifest.plugins.map(idOf);
  const after = changed(before);
  const isNew = (entry) => !before.includes(named(entry));
  if (file.plugins) file.plugins = [...file.plugins.filter((entry) => after.includes(named(entry))), ...after.filter(isNew)];
  else {
    const base = readManifestFile(resolve(dirname(path), file.extends)).manifest.plugins.map(idOf);
    file.without = base.filter((id) => !after.includes(id));
    file.with = [...(file.with ?? []).filter((entry) => after.includes(named(entry))), ...after.filter((id) => isNew(id) && !base.includes(id))];
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const edited = ['plugins', 'without', 'with']
    .filter((key) => file[key])
    .reduce((so, key) => applyEdits(so, modify(so, [key], file[key], { formattingOptions })), text);
  writeFileSync(path, edited);
  console.log(`${name()}: ${counted(after.length, 'plugin')}. Build and start anew: npm start`);
}

function check() {
  const [id] = ids;
  if (!id || !existsSync(pluginFile(id))) end(`Which plugin? ${pluginsOfTree().join(', ')}`);
  const tests = [`tests/plugins/${id}`].filter((folder) => existsSync(join(root, folder)));
  if (tests.length === 0) console.log(`There are no tests in tests/plugins/${id}.`);
  runPackage('typescript', []);
  runPackage('@biomejs/biome', ['check', '--error-on-warnings', relative(root, pluginFile(id)), ...tests]);
  runPackage('@rstest/core', ['run', 'tests/architecture', 'tests/contract', ...tests]);
}

async function upgrade() {
  const { upgradeFolders } = await import('./upgrades.mjs');
  const folders =
    ids.length === 0 ? ['src/plugins', 'tests/plugins'] : ids.flatMap((id) => (/[\\/]/.test(id) ? [id] : [`src/plugins/${id}`, `tests/plugins/${id}`]));
  const changed = upgradeFolders(folders, values.dry);
  for (const { file, titles } of changed) console.log(`${values.dry ? '?' : '~'} ${file}: ${titles.join('; ')}`);
  console.log(changed.length === 0 ? 'Nothing to change.' : `${counted(changed.length, 'file')}. docs/upgrading-a-plugin.md says what no machine can change.`);
}

async function doctor() {
  const { manifest, files } = readManifestFile();
  const { knownBrowser } = await import('./test-services.mjs');
  const plugins = manifest.plugins.map(pluginOf);
  const found = [
    ...(await problemsOf(manifest)),
    ...plugins.flatMap(({ id, missing, problem }) =>
      missing ? [`there is no plugin ${id}; it would be left out`] : problem ? [`plugins.${id}: ${problem}`] : [],
    ),
    ...(await remoteProblems(manifest.remotes)),
    ...(await settledOptions(plugins.filter(({ missing }) => !missing))).problems,
  ];
  if (found.length === 0) {
    const { plugins } = await builtFrom(manifestPath(), output());
    found.push(...plugins.filter(({ skipped }) => skipped).map(({ id, skipped }) => `${id} would not run: ${skipped}`));
  }
  console.log(`Node.js ${process.versions.node}`);
  console.log(`Manifest ${files.map((path) => relative(root, path)).join(', which extends ')}: ${manifest.plugins.length} plugins`);
  console.log(`Database ${process.env.DATABASE_URL ? 'the one of DATABASE_URL' : `embedded, in ${process.env.DATA_DIR ?? '.data'}`}`);
  console.log(`Browser for the tests: ${knownBrowser() ?? 'none was found; npm test installs one'}`);
  for (const problem of found) console.log(`! ${problem}`);
  console.log(found.length === 0 ? 'Nothing is wrong.' : `${found.length} to mend.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

/** A build, made where it is not fresh: its plugins as its server describes them, and what its console weighs. */
async function builtFrom(manifest, folder) {
  Object.assign(process.env, { MARQUEE_MANIFEST: manifest, MARQUEE_OUTPUT: folder });
  const said = console.log;
  if (values.json) console.log = console.error;
  ensureBuilt();
  console.log = said;
  const server = join(folder, 'server/main.js');
  const { describedPlugins } = await import(pathToFileURL(server).href);
  return { plugins: describedPlugins(), bytes: weightOf(join(folder, 'console')) };
}

function weightOf(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = readdirSync(join(folder, 'assets')).filter((file) => /\.(js|css)\.gz$/.test(file));
  const sum = (chosen) => chosen.reduce((total, file) => total + statSync(join(folder, 'assets', file)).size, 0);
  return { first: sum(files.filter((file) => page.includes(file.slice(0, -3)))), all: sum(files) };
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}

#!/usr/bin/env node
/**
 * Implements `npm create marquee-plugin ID [-- --title 货架,Shelves] [--under base]`: writes a plugin with a list, a form, a table and a test into a new folder. With
 * `--from FOLDER` the plugin is the one of the code generator whose archive was unpacked there.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { assertPluginId, menuGroups, scaffold, titlesOf } from './scaffold.mjs';

const { version, config } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
/** Public modules by the name under which a plugin imports them. */
const publicModules = { '#kernel': 'console', '#server': 'server', '#shared/*': 'shared/*', '#plugins/*': 'plugins/*', '#kit/*': 'kit/*' };

try {
  create(parseArgs({ options: { title: { type: 'string' }, under: { type: 'string', default: 'base' }, from: { type: 'string' } }, allowPositionals: true }));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function create({ values: { title, under, from }, positionals: [id, ...more] }) {
  if (!id || more.length > 0) throw new Error('Usage: npm create marquee-plugin ID -- [--title 货架,Shelves] [--under base] [--from FOLDER]');
  assertPluginId(id);
  if (!Object.hasOwn(menuGroups, under)) throw new Error(`Menu group "${under}" not found. Available: ${Object.keys(menuGroups).join(', ')}.`);
  const folder = resolve(id);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`The folder ${id} exists already and is not empty.`);
  const sources = from === undefined ? scaffold({ id, title: titlesOf(id, title), under }) : generatedSources(id, resolve(from));
  const files = { ...movedSources(id, sources), ...surroundings(id) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    console.log(`+ ${id}/${path}`);
  }
  console.log(`\nNext:\n  cd ${id}\n  npm install\n  npm run dev      to see it while you change it\n  npm test\n  npm run check`);
}

/** Reads the plugin that the code generator has written, from the folder into which its archive was unpacked. */
function generatedSources(id, from) {
  const folders = [`src/plugins/${id}`, `tests/plugins/${id}`].map((path) => join(from, path)).filter((path) => existsSync(path));
  const paths = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()));
  if (paths.length === 0) throw new Error(`${from} contains no src/plugins/${id}. Unpack the archive of the code generator there.`);
  return paths.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return { path: relative(from, path).replaceAll(sep, '/'), text: readFileSync(path, 'utf8') };
  });
}

/** Returns the files of the plugin by path; the generator writes them for a folder of the product, and here the plugin is the whole folder. */
function movedSources(id, sources) {
  const moved = sources.map(({ path, text }) => [
    path.replace(`src/plugins/${id}/`, '').replace(`tests/plugins/${id}/`, 'tests/'),
    text.replaceAll(new RegExp(`#plugins/${id}/([\\w/]+)`, 'g'), '../../$1.ts'),
  ]);
  return Object.fromEntries(moved);
}

/** Returns the files around the plugin: its package, the settings of compiler and formatter, and a first page for readers. */
function surroundings(id) {
  const description = {
    name: `marquee-plugin-${id}`,
    version: '0.1.0',
    type: 'module',
    files: ['dist', 'server/migrations'],
    scripts: { dev: 'marquee dev', test: 'marquee test', check: 'marquee check', pack: 'marquee pack' },
    imports: Object.fromEntries(Object.entries(publicModules).map(([name, module]) => [name, `@marquee/plugin/${module}`])),
    marquee: { id, console: './dist/console/plugin.js', server: './dist/server/plugin.js', migrations: './server/migrations' },
    devDependencies: { '@marquee/cli': `^${version}`, '@marquee/plugin': `^${version}`, ...config.peers },
  };
  return {
    'package.json': `${JSON.stringify(description, null, 2)}\n`,
    'tsconfig.json': '{\n  "extends": "@marquee/plugin/tsconfig.json",\n  "include": ["."],\n  "exclude": ["dist", "node_modules"]\n}\n',
    '.gitignore': 'node_modules\ndist\n.marquee\n*.tgz\n',
    'README.md': `# ${id}\n\nA plugin of Marquee. \`npm install\`, then \`npm run dev\` starts the product with it; \`npm test\`, \`npm run check\` and \`npm run pack\` are the other steps.\n`,
  };
}

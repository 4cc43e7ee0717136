/**
 * Implements `npm run pack:sdk`: packs three packages for authors of plugins in other repositories into `dist/sdk`: `@marquee/plugin` (the product with the
 * declarations of its public modules and the test kit), `@marquee/cli` (the command `marquee`) and `create-marquee-plugin`. `--release` records the public API as that of
 * the current version; a change that this version does not allow is refused.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { compiledTo } from '../compiled.mjs';
import { emitDeclarations } from '../declarations.mjs';
import { runNpm } from '../npm.mjs';
import { pluginFile, pluginsOfTree } from '../plugin-sources.mjs';
import { root } from '../prepare.mjs';
import { sharedFolders } from '../shared-folders.mjs';
import { fail } from '../steps.mjs';
import { apiProblems, recordRelease } from './released-api.mjs';

const { values } = parseArgs({ options: { release: { type: 'boolean' } } });
const target = join(root, 'dist/sdk');
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, license, engines } = project;

/** Modules of a plugin that other plugins may import. */
const publicFiles = /^(contract|menus|events|extension|server-extension)\.ts$/;
/** Packages that a plugin imports directly and that must exist only once: peer dependencies, which npm installs beside the author's own packages. */
const peers = [
  '@arco-design/web-react',
  '@rstest/core',
  '@testing-library/react',
  'dayjs',
  'drizzle-orm',
  'react',
  'react-dom',
  'rxjs',
  'typebox',
  'typescript',
];
/** Development tools that the commands of an author run. */
const tools = [
  '@biomejs/biome',
  '@rstest/adapter-rsbuild',
  '@testing-library/dom',
  '@testing-library/user-event',
  '@types/node',
  '@types/react',
  'fast-check',
  'happy-dom',
  'jsonc-parser',
];
const folders = ['src', 'public', 'scripts'];
const files = ['rsbuild.config.ts', 'rstest.config.ts', 'tsconfig.json', 'biome.json', 'plugins.manifest.json', 'LICENSE'];
const kitEntries = ['tests/kit/server.ts', 'tests/kit/console.tsx'];
/** Suites and rules that `marquee check` runs. */
const checkEntries = ['tests/contract/checked-plugins.check.ts', 'tests/architecture/rules/plugin-rules.ts'];
const setupFiles = ['tests/support/between-server-tests.ts', 'tests/support/between-tests.ts', 'tests/support/dom.ts'];

const sources = (folder) => readdirSync(folder).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
const nameOf = (file) => basename(file).replace(/\.tsx?$/, '');
const declared = (file) => file.replace(/\.tsx?$/, '.d.ts');
const writePackageJson = (folder, manifest) => writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const problems = apiProblems(version);
if (problems.length > 0) fail(problems.join('\n'));
if (values.release) recordRelease(version);
rmSync(target, { recursive: true, force: true });
packPlugin(join(target, 'plugin'));
packCli(join(target, 'cli'));
await packCreate(join(target, 'create-marquee-plugin'));
for (const name of ['plugin', 'cli', 'create-marquee-plugin']) await runNpm(['pack', '--silent', '--pack-destination', target], { cwd: join(target, name) });
for (const file of readdirSync(target).filter((name) => name.endsWith('.tgz'))) console.log(`dist/sdk/${file}`);

/** Writes the product, the declarations of its public modules and the test kit. */
function packPlugin(folder) {
  for (const name of [...folders, ...files].filter((name) => existsSync(join(root, name))))
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !path.split(sep).includes('.deployment') });
  for (const file of importedFiles([...kitEntries, ...checkEntries, ...setupFiles, ...sampleFiles()])) cpSync(join(root, file), join(folder, file));
  const modules = publicModules();
  writeDeclarations(folder, Object.values(modules));
  const versions = { ...project.devDependencies, ...project.dependencies };
  const versionsOf = (names) => Object.fromEntries(names.map((name) => [name, versions[name]]));
  const runtime = Object.keys(project.dependencies).filter((name) => !peers.includes(name));
  writePackageJson(folder, {
    name: '@marquee/plugin',
    version,
    description: 'Public modules, declarations and test kit for plugins of Marquee.',
    license,
    type: 'module',
    engines,
    imports: project.imports,
    exports: {
      ...Object.fromEntries(Object.entries(modules).map(([name, file]) => [`./${name}`, { types: `./types/${declared(file)}`, default: `./${file}` }])),
      './tsconfig.json': './scripts/sdk/tsconfig.json',
      './package.json': './package.json',
    },
    dependencies: versionsOf([...runtime, ...tools].sort()),
    peerDependencies: versionsOf(peers),
  });
}

/** Returns the sample files of the product's plugins; samples of other plugins build on them. */
function sampleFiles() {
  return pluginsOfTree()
    .map((id) => `tests/plugins/${id}/samples.ts`)
    .filter((file) => existsSync(join(root, file)));
}

/** Returns the files that plugins may import, by their path in the package. */
function publicModules() {
  const shared = sharedFolders.flatMap((folder) => sources(folder).map((file) => [`shared/${nameOf(file)}`, `${relative(root, folder)}/${file}`]));
  const plugins = pluginsOfTree().flatMap((id) =>
    sources(pluginFile(id))
      .filter((file) => publicFiles.test(file))
      .map((file) => [`plugins/${id}/${nameOf(file)}`, `src/plugins/${id}/${file}`]),
  );
  const own = { console: 'src/kernel/index.ts', server: 'src/server/index.ts', 'kit/console': kitEntries[1], 'kit/server': kitEntries[0] };
  // Reversed, so that the first folder wins where two have a file of one name.
  const all = { ...own, ...Object.fromEntries([...plugins, ...shared.reverse()]) };
  return Object.fromEntries(Object.entries(all).map(([name, file]) => [name, file.replaceAll('\\', '/')]));
}

/** Writes the declarations of these files; imports by name become relative, so that the author's compiler resolves them without the settings of this project. */
function writeDeclarations(folder, entries) {
  const workFolder = mkdtempSync(join(tmpdir(), 'marquee-declarations-'));
  try {
    emitDeclarations(workFolder, entries);
    const out = join(workFolder, 'out');
    for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
      const text = readFileSync(join(out, file), 'utf8').replace(/((?:from|import)\s*\(?\s*["'])([#.][^"']*)(["'])/g, (_, before, name, after) => {
        return `${before}${relativeImport(out, file, name)}${after}`;
      });
      writeFile(join(folder, 'types', file), text);
    }
    cpSync(join(root, 'src/shared/deployment.d.ts'), join(folder, 'types/src/shared/deployment.d.ts'));
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

/** Returns the relative path, ending in `.js`, for an import in a declaration file; imports of `#deployment/` stay as they are. */
function relativeImport(out, file, name) {
  if (!name.startsWith('#')) return name.replace(/\.tsx?$/, '.js');
  if (name.startsWith('#deployment/')) return name;
  const [, area, path] = /^#([^/]+)\/?(.*)$/.exec(name);
  const candidates = {
    kernel: ['src/kernel/index'],
    server: ['src/server/index'],
    plugins: [`src/plugins/${path}`],
    shared: sharedFolders.map((each) => `${relative(root, each)}/${path}`),
  };
  const found = candidates[area]?.find((each) => existsSync(join(out, `${each}.d.ts`)));
  if (!found) throw new Error(`${file} imports ${name}, which has no declarations.`);
  const relativePath = relative(dirname(file), found).replaceAll('\\', '/');
  return `${relativePath.startsWith('.') ? relativePath : `./${relativePath}`}.js`;
}

/** Returns these test files and the test files that they import. */
function importedFiles(entries) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      if (imported.startsWith('tests') && existsSync(join(root, imported))) visit(imported);
    }
  };
  entries.forEach(visit);
  return [...found];
}

/** Writes the package of the command `marquee`, which runs the commands of the installed `@marquee/plugin`. */
function packCli(folder) {
  cpSync(join(root, 'scripts/sdk/cli'), folder, { recursive: true });
  writePackageJson(folder, {
    name: '@marquee/cli',
    version,
    description: 'The command marquee: develops, tests, checks, packs and installs a plugin of Marquee.',
    license,
    type: 'module',
    engines,
    bin: { marquee: 'marquee.mjs' },
  });
}

/** Writes the package behind `npm create marquee-plugin`, with the generator compiled in. */
async function packCreate(folder) {
  cpSync(join(root, 'scripts/sdk/create'), folder, { recursive: true });
  await compiledTo(
    join(folder, 'scaffold.mjs'),
    'scripts/plugin/plugin-names.mjs',
    'src/shared/contract/menu-groups.ts',
    'src/plugins/codegen/server/emit/scaffold.ts',
  );
  writePackageJson(folder, {
    name: 'create-marquee-plugin',
    version,
    description: 'Creates a plugin of Marquee in a folder of its own: npm create marquee-plugin ID.',
    license,
    type: 'module',
    engines,
    bin: { 'create-marquee-plugin': 'create.mjs' },
    config: { peers: Object.fromEntries(peers.map((name) => [name, project.dependencies[name] ?? project.devDependencies[name]])) },
  });
}

function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Prepares a command: installs the packages of the lock file, and builds the sources. It uses Node built-ins only, so it runs on a fresh clone. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { writeStartFiles } from './deployment-folder.mjs';
import { readManifestFile } from './manifest.mjs';
import { runNpm, spawnNpm } from './npm.mjs';
import { packageFolder } from './package-folder.mjs';
import { pluginFile, pluginOf, pluginsOfTree } from './plugin-sources.mjs';
import { fail, stepPrinter } from './steps.mjs';

export const root = resolve(import.meta.dirname, '..');

const buildScripts = [
  'bundle',
  'compiled.mjs',
  'compress.mjs',
  'deployment-modules.ts',
  'generated-modules.ts',
  'manifest.mjs',
  'package-folder.mjs',
  'plugin-options.mjs',
  'plugin-sources.mjs',
  'shared-folders.mjs',
];
const sourcesOfBuild = ['src', 'public', ...buildScripts.map((file) => `scripts/${file}`), 'rsbuild.config.ts', 'package-lock.json'];

/** Arguments of an incremental type check, which only checks changed files. */
export const typeCheckArgs = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/marquee/types.tsbuildinfo'];

/** Returns the output folder of a build: `MARQUEE_OUTPUT`, or else `dist`. */
export const output = () => resolve(root, process.env.MARQUEE_OUTPUT ?? 'dist');

/** Runs a program in the project without a shell, and ends this process if it fails. */
export function run(program, args, environment = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Runs the command of a package. */
export const runPackage = (name, args, environment) => run(process.execPath, [packageCommand(name), ...args], environment);

/** Returns the file of a package's command. */
export function packageCommand(name) {
  const folder = packageFolder(name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : (bin[name.replace(/^@.*\//, '')] ?? Object.values(bin)[0]));
}

const installMark = join(root, 'node_modules/.marquee-installed');
const buildMark = () => join(output(), '.built');
const hasMark = (mark, text) => existsSync(mark) && readFileSync(mark, 'utf8') === text;

/** Returns the identity of an installation: the lock file and, for native packages, the machine. */
const installation = () => `${hashOf([join(root, 'package-lock.json')])} ${process.platform} ${process.arch}`;

/** Returns true if the installed packages are those of the lock file. */
export const isInstalled = () => hasMark(installMark, installation());

/** True for the sources of the product; the kit of a plugin author has no lock file, and npm has installed its packages. */
const hasLockFile = existsSync(join(root, 'package-lock.json'));

/** Installs the packages if the lock file has changed since the last install, or if that one was interrupted. */
export async function ensureInstalled(step = stepPrinter()) {
  if (!hasLockFile || isInstalled()) return;
  await step('Installing packages', 'Packages installed', async () => {
    rmSync(installMark, { force: true });
    await runNpm(['ci'], { cwd: root, environment: { NODE_ENV: 'development' } });
    const [missing] = missingPackages();
    if (missing)
      fail(`${missing} is missing after the install. Run the same command again, without another program that changes node_modules at the same time.`);
    writeFileSync(installMark, installation());
  });
}

/** Returns the folders of packages that every machine needs and that are missing. */
function missingPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isNeeded = ([folder, { optional, devOptional, peer }]) => folder !== '' && !optional && !devOptional && !peer;
  const needed = Object.entries(packages).filter(isNeeded);
  return needed.map(([folder]) => folder).filter((folder) => !existsSync(join(root, folder, 'package.json')));
}

/** Returns the folder in which `plan` leaves its build. */
export const plannedOutput = () => join(output(), 'plan');

/**
 * Builds console and server if a source or the content of the manifest has changed since the last build, or if that one was interrupted. The build of a plan that
 * has been carried out is reused.
 */
export function ensureBuilt(step = stepPrinter()) {
  const hash = hashOfSources();
  if (hasMark(buildMark(), hash)) return;
  if (hasMark(join(plannedOutput(), '.built'), hash)) return takePlannedBuild();
  step('Building', 'Built', () => {
    rmSync(buildMark(), { force: true });
    rmSync(join(output(), 'maps'), { recursive: true, force: true, maxRetries: 5 });
    runPackage('@rsbuild/core', ['build', '--log-level', 'warn'], { NODE_ENV: 'production', MARQUEE_BUILD: hash.slice(0, 12) });
    run(process.execPath, [join(root, 'scripts/compress.mjs')]);
    writeStartFiles(output());
    writeSbom(output());
    writeFileSync(buildMark(), hash);
  });
}

/**
 * Writes `sbom.cdx.json` into the folder of a build: its software bill of materials in CycloneDX, made by npm from the lock file. Development tools are listed and
 * marked. The file contains no time and no random number, so that equal sources produce equal builds.
 */
function writeSbom(folder) {
  const { status, stdout, stderr } = spawnNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], { cwd: root });
  if (status !== 0) throw new Error(`npm could not write the bill of materials: ${stderr.trim()}`);
  const { serialNumber: _, ...sbom } = JSON.parse(stdout);
  const { timestamp: __, ...metadata } = sbom.metadata;
  metadata.component.name = 'marquee';
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify({ ...sbom, metadata }, null, 2)}\n`);
}

/** Returns true if the build matches the sources. */
export const isBuilt = () => hasMark(buildMark(), hashOfSources());

/** Moves the build of a plan into place. The mark moves last, so that an incomplete move causes a new build. */
function takePlannedBuild() {
  const planned = plannedOutput();
  rmSync(buildMark(), { force: true });
  for (const name of [...readdirSync(planned).filter((each) => each !== '.built'), '.built']) {
    rmSync(join(output(), name), { recursive: true, force: true, maxRetries: 5 });
    renameSync(join(planned, name), join(output(), name));
  }
  rmSync(planned, { recursive: true });
}

function hashOfSources() {
  const { manifest } = readManifestFile();
  const folders = manifest.plugins.map((entry) => pluginOf(entry).folder);
  return hashOf(
    [...sourcesOfBuild, ...folders].map((path) => resolve(root, path)),
    JSON.stringify(manifest),
    unbuiltPlugins(folders),
  );
}

/** Returns the folders of plugins that are not part of the build: the manifest does not list them, and no other plugin imports their extensions. */
function unbuiltPlugins(listed) {
  const offers = (id) => ['extension.ts', 'server-extension.ts'].some((file) => existsSync(pluginFile(id, file)));
  const isImported = (id) =>
    filesUnder(join(root, 'src')).some((path) => !path.startsWith(pluginFile(id) + sep) && readFileSync(path, 'utf8').includes(`#plugins/${id}/`));
  const unlisted = pluginsOfTree().filter((id) => !listed.includes(pluginFile(id)));
  return unlisted.filter((id) => !offers(id) || !isImported(id)).map((id) => pluginFile(id));
}

function hashOf(paths, text = '', without = []) {
  const hash = createHash('sha256').update(text);
  const isLeftOut = (path) => without.some((folder) => path.startsWith(folder + sep));
  for (const path of paths.flatMap(filesUnder).filter((each) => !isLeftOut(each))) hash.update(nameOf(path)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Returns a relative path that is the same on every system. */
const nameOf = (path) => relative(root, path).replaceAll('\\', '/');

/** Returns the files below a folder, sorted by name, without those of packages. */
function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !relative(path, entry.parentPath).split(sep).includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** Runs the contract suites for a plugin and its own tests, on a server that has this plugin and those that it needs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { manifestPath } from '../../manifest.mjs';
import { idOf, pluginFile, pluginOf, pluginsOfTree } from '../../plugin-sources.mjs';
import { packageCommand, root } from '../../prepare.mjs';
import { displayPath, listedEntries } from '../deployment.mjs';
import { loadRules, runProgram } from './source.mjs';

/** Plugins whose calls the suites use: they create clients, roles and departments, and exports. */
const basePlugins = ['settings', 'dictionary', 'access', 'organization', 'transfers'];

/** The file that imports all contract suites. */
const suitesFile = 'tests/contract/checked-plugins.check.ts';

/** Two files run at a time: the contract suites beside the plugin's own tests. Optimising the code of the embedded database would not pay off for them. */
const workers = ['--pool.maxWorkers', '2', '--pool.execArgv=--max-semi-space-size=64', '--pool.execArgv=--liftoff-only'];

/** Returns the failed contract suites and tests of these plugins, as far as they are selected. `filesById` has the files of each. */
export async function testFindings(subjects, filesById, selection) {
  const own = selection.needsOwnTests ? ownTests(subjects, filesById, selection) : [];
  if (selection.isAll) return findingsOf(subjects, filesById, [suitesFile, ...own]);
  // A pattern of titles would leave out the plugin's own tests, so these have a run of their own.
  const selected = selection.suites.length === 0 ? [] : await findingsOf(subjects, filesById, [suitesFile, '-t', `^(${selection.suites.join('|')}) \\| `]);
  return [...selected, ...(own.length === 0 ? [] : await findingsOf(subjects, filesById, own))];
}

/** Returns the folders with the plugins' own tests, or the files of them that are selected. */
function ownTests(subjects, filesById, { ownFiles }) {
  if (ownFiles !== undefined)
    return subjects.flatMap(({ id }) =>
      filesById
        .get(id)
        .filter(({ path }) => ownFiles.includes(path))
        .map(({ file }) => file.replaceAll('\\', '/')),
    );
  return subjects.filter(({ tests }) => existsSync(tests)).map(({ tests }) => `${tests.replaceAll('\\', '/')}/`);
}

async function findingsOf(subjects, filesById, args) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-check-'));
  try {
    const manifest = join(folder, 'checked.manifest.json');
    const report = join(folder, 'report.json');
    writeFileSync(manifest, JSON.stringify({ extends: manifestPath(), plugins: await entriesFor(subjects, filesById) }));
    const outside = subjects.filter(({ isInTree }) => !isInTree);
    const environment = {
      ...process.env,
      NODE_ENV: 'test',
      DEBUG_PRINT_LIMIT: '0',
      MARQUEE_MANIFEST: manifest,
      MARQUEE_CACHE: '1',
      TEST_REPORT: report,
      CHECKED_PLUGINS: subjects.map(({ id }) => id).join(','),
      ...(outside.length > 0 ? { CHECKED_FOLDERS: outside.map((subject) => subject.folder.replaceAll('\\', '/')).join(delimiter) } : {}),
    };
    const { stdout, stderr } = await runProgram(process.execPath, [packageCommand('@rstest/core'), 'run', ...workers, ...args], {
      cwd: root,
      env: environment,
    });
    if (!existsSync(report)) throw new Error(`The tests did not run:\n${stdout}${stderr}`);
    const { files } = JSON.parse(readFileSync(report, 'utf8'));
    if (args.includes(suitesFile) && !files.some(({ testPath }) => testPath === suitesFile))
      throw new Error(`The contract suites did not run:\n${stdout}${stderr}`);
    return files.flatMap((file) => findingsIn(file, subjects, filesById));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the entries of a manifest with the plugins and those that they need, in the order in which the deployment lists them. */
async function entriesFor(subjects, filesById) {
  const { listedIds, importsOf } = await loadRules();
  const listed = new Map(listedEntries().map((entry) => [idOf(entry), entry]));
  const folderOf = (id) => subjects.find((subject) => subject.id === id)?.folder ?? (listed.has(id) ? pluginOf(listed.get(id)).folder : pluginFile(id));
  const halves = (id) => ['server/plugin.ts', 'console/plugin.ts'].map((file) => join(folderOf(id), file)).filter(existsSync);
  const ids = (id, ...properties) => halves(id).flatMap((file) => properties.flatMap((name) => listedIds(readFileSync(file, 'utf8'), name)));
  const known = (id) => subjects.some((subject) => subject.id === id) || listed.has(id) || pluginsOfTree().includes(id);
  const needed = new Set();
  const add = (id) => {
    if (needed.has(id) || !known(id)) return;
    for (const other of ids(id, 'dependencies')) add(other);
    needed.add(id);
  };
  for (const id of basePlugins) add(id);
  for (const { id } of subjects) for (const other of ids(id, 'optionalDependencies')) add(other);
  for (const { id } of subjects) for (const other of namedIn(filesById.get(id), importsOf)) add(other);
  for (const { id } of subjects) add(id);
  const order = [...listed.keys()];
  const rank = (id) => (order.includes(id) ? order.indexOf(id) : order.length);
  const outside = new Map(subjects.filter(({ isInTree }) => !isInTree).map(({ id, folder }) => [id, folder]));
  return [...needed].sort((one, other) => rank(one) - rank(other)).map((id) => outside.get(id) ?? listed.get(id) ?? id);
}

/** Returns the texts in the tests of a plugin, and in the modules of `tests` that they import: plugins that run beside it are among them. */
function namedIn(files, importsOf) {
  const waiting = files
    .filter(({ path, file }) => path.startsWith('tests/') && /\.tsx?$/.test(file))
    .map(({ file, text }) => ({ path: displayPath(file), text }));
  const seen = new Set(waiting.map(({ path }) => path));
  const names = new Set();
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const [, name] of next.text.matchAll(/'([a-z][a-z0-9-]*)'/g)) names.add(name);
    for (const path of importsOf(next).filter((one) => one.startsWith('tests/support/') && !seen.has(one) && existsSync(join(root, one)))) {
      seen.add(path);
      waiting.push({ path, text: readFileSync(join(root, path), 'utf8') });
    }
  }
  return names;
}

function findingsIn({ testPath, errors = [], results }, subjects, filesById) {
  const failed = results.filter(({ status }) => status === 'fail');
  if (testPath === suitesFile) {
    const broken = errors.map((error) => finding('plugin-runs', 'the contract suites cannot start', error, subjects, filesById));
    return [...broken, ...failed.flatMap(({ fullName, errors: found = [] }) => found.map((error) => ofSuite(fullName, error, subjects, filesById)))];
  }
  const owner = subjects.find(({ tests }) => join(root, testPath).startsWith(tests));
  const own = filesById.get(owner?.id) ?? [];
  const path = own.find(({ file }) => file === join(root, testPath))?.path ?? testPath;
  return [
    ...errors.map((error) => ({ rule: 'own-test', path, line: lineIn(error, testPath), reason: `the file cannot run\n${textOf(error)}` })),
    ...failed.flatMap(({ fullName, errors: found = [] }) =>
      found.map((error) => ({ rule: 'own-test', path, line: lineIn(error, testPath), reason: `${fullName}\n${textOf(error)}` })),
    ),
  ];
}

function ofSuite(fullName, error, subjects, filesById) {
  const [, rule = 'plugin-runs', title = fullName] = /^([a-z-]+) \| (.*)$/s.exec(fullName) ?? [];
  return finding(rule, title, error, subjects, filesById);
}

function finding(rule, title, error, subjects, filesById) {
  const reason = `${title}\n${textOf(error)}`;
  return { rule, ...locationOf(reason, subjects, filesById), reason };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with this character
const colours = /\u001b\[\d+m/g;

/** Returns message and difference of an error without colours and repeated lines. */
function textOf({ message = '', diff = '' }) {
  const difference = diff.replace(colours, '').replace(/^- Expected\n\+ Received\n\n?/, '');
  const short =
    difference === ''
      ? message
      : message
          .split('\n')
          .filter((line) => !/^expected .* to /s.test(line))
          .join('\n');
  return [short, difference]
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 24)
    .join('\n');
}

const lineIn = ({ stack = '' }, testPath) => Number(stack.replaceAll('\\', '/').match(new RegExp(`${escaped(testPath)}:(\\d+)`))?.[1] ?? 1);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Finds the location in the sources of a plugin that a message of a suite is about: the declaration of the call, entity or table that it names, or else the first one
 * with a text that it quotes.
 */
function locationOf(message, subjects, filesById) {
  for (const { id } of subjects) {
    const files = (filesById.get(id) ?? []).filter(({ path }) => path.startsWith('src/'));
    const [, name] = new RegExp(`\\b${escaped(id)}\\.(\\w+)`).exec(message) ?? [];
    const quoted = [...message.matchAll(/["'`]?([\w/-]{3,})["'`]?/g)].map(([, text]) => text).filter((text) => /[/_-]|[a-z][A-Z]/.test(text));
    const patterns = [
      ...(name === undefined ? [] : [new RegExp(`^export (?:const|\\{[^}]*?\\b) ?${name}\\b`, 'm')]),
      ...quoted.map((text) => new RegExp(`(?<![\\w-])${escaped(text)}(?![\\w-])|/${escaped(text.split('/').at(-1) || text)}['\`]`)),
    ];
    for (const pattern of patterns)
      for (const { path, text } of files) {
        const at = text.search(pattern);
        if (at >= 0) return { path, line: text.slice(0, at).split('\n').length };
      }
  }
  const [{ id }] = subjects;
  return { path: `src/plugins/${id}/contract.ts`, line: 1 };
}

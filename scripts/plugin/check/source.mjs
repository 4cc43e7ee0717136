/** Checks the text of a plugin's files: the rules of the architecture tests, and formatting and lint of Biome. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compiled } from '../../compiled.mjs';
import { packageCommand, root } from '../../prepare.mjs';

let rules;

/** Loads the rules that the architecture tests apply to the whole project. */
export function loadRules() {
  rules ??= compiled('tests/architecture/rules/plugin-rules.ts', 'tests/architecture/rules/imports.ts', 'tests/architecture/source.ts');
  return rules;
}

/** Returns the violations of the rules about sources. */
export async function sourceFindings(files) {
  const { judgeSource } = await loadRules();
  return judgeSource(files.map(({ path, text }) => ({ path, text })));
}

/** Returns what Biome finds. */
export const biomeFindings = (files) =>
  withCopy(files, async (folder) => {
    const { stdout, stderr } = await biome(folder, ['--reporter=json']);
    const report = reportIn(stdout);
    if (!report) throw new Error(`Biome gave no report:\n${stdout}${stderr}`);
    return report.diagnostics.map((one) => findingOf(one, files)).filter(Boolean);
  });

function findingOf({ category = '', message, description, location }, files) {
  const path = pathOf(location, files);
  if (path === undefined) return undefined;
  const text = typeof message === 'string' ? message : (message ?? []).map(({ content }) => content).join('');
  const line = location.start?.line || 1;
  if (category === 'format') return { rule: 'format', path, line, reason: 'the formatter writes this file differently; --fix does it' };
  if (category.startsWith('assist')) return { rule: 'format', path, line, reason: 'the imports are not in order; --fix sorts them' };
  return { rule: 'lint', path, line, reason: `${text || description} (${category.replace(/^lint\//, '')})` };
}

function pathOf(location, files) {
  const reported = (typeof location?.path === 'string' ? location.path : (location?.path?.file ?? '')).replaceAll('\\', '/');
  return files.find(({ path }) => reported === path || reported.endsWith(`/${path}`))?.path;
}

function reportIn(output) {
  const line = output.split('\n').find((one) => one.startsWith('{'));
  return line === undefined ? undefined : JSON.parse(line);
}

/** Formats the files, sorts their imports and applies the safe fixes of lint rules. Returns the changed files. */
export const biomeFixes = (files) =>
  withCopy(files, async (folder) => {
    await biome(folder, ['--write']);
    return files.flatMap((one) => {
      const text = readFileSync(join(folder, one.path), 'utf8');
      return text === one.text ? [] : [{ ...one, text }];
    });
  });

/** Changes the lists of dependencies to what the plugin imports. Returns the changed files. */
export async function dependencyFixes(files) {
  const { dependenciesOf, listedIds } = await loadRules();
  const halves = files.filter(({ path }) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path));
  return halves.flatMap((half) => {
    const { required, listed } = dependenciesOf(half, files);
    if (required.join() === listed.join()) return [];
    const kept = listedIds(half.text, 'dependencies').filter((id) => required.includes(id) || !listed.includes(id));
    const ids = [...kept, ...required.filter((id) => !kept.includes(id))];
    const text = withDependencies(half.text, `dependencies: [${ids.map((id) => `'${id}'`).join(', ')}],`);
    return text === half.text ? [] : [{ ...half, text }];
  });
}

function withDependencies(text, line) {
  if (/\bdependencies: \[[^\]]*\],/.test(text)) return text.replace(/\bdependencies: \[[^\]]*\],/, line);
  return text.replace(/^( +)title: .*,$/m, (title, indent) => `${title}\n${indent}${line}`);
}

/** Runs `work` in a folder that has the files at their paths in the source tree, to which the configuration refers. */
async function withCopy(files, work) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-check-'));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const name of ['biome.json', 'package.json']) cpSync(join(root, name), join(folder, name));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function biome(folder, args) {
  const all = [packageCommand('@biomejs/biome'), 'check', '--error-on-warnings', '--vcs-enabled=false', '--max-diagnostics=none', ...args, 'src', 'tests'];
  return runProgram(process.execPath, all, { cwd: folder });
}

/** Runs a program and returns its output. */
export function runProgram(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, ...texts }));
  });
}

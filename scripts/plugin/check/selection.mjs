/** Selects what a check runs: all rules, those that `--rule` names, or with `--failed` what failed the last time. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../prepare.mjs';
import { CommandError } from '../deployment.mjs';
import { loadRules } from './source.mjs';

const tools = ['types', 'format', 'lint', 'own-test'];
/** Findings of the last check of each plugin. */
const memory = join(root, 'dist/plugin-check.json');

/** Returns the selected rules with the kinds of work that they need; `ownFiles` are the test files of the plugins to run, all if undefined. */
export async function selectionOf(subjects, { rule: named = [], failed = false } = {}) {
  const { sourceRules } = await loadRules();
  const sources = sourceRules.map(({ id }) => id);
  const suites = suiteRules();
  const known = [...sources, ...suites, ...tools];
  const unknown = named.find((one) => !known.includes(one));
  if (unknown) throw new CommandError(`Rule "${unknown}" not found. docs/plugin-rules.md describes all: ${known.join(', ')}.`);
  const remembered = failed ? subjects.flatMap(({ id }) => readMemory()[id] ?? []) : [];
  const chosen = new Set(named.length > 0 ? named : remembered.map(({ rule }) => rule));
  const isAll = chosen.size === 0;
  const includes = (rule) => isAll || chosen.has(rule);
  const ownFiles = isAll || named.length > 0 ? undefined : [...new Set(remembered.filter(({ rule }) => rule === 'own-test').map(({ path }) => path))];
  return {
    isAll,
    rules: [...chosen],
    includes,
    needsSources: sources.some(includes),
    needsBiome: includes('format') || includes('lint'),
    needsTypes: includes('types'),
    needsOwnTests: includes('own-test'),
    suites: isAll ? undefined : suites.filter(includes),
    ownFiles,
  };
}

/** Remembers what failed. A rule that was not selected keeps its last result. */
export function remember(subjects, findings, { isAll, includes }) {
  const all = readMemory();
  for (const { id } of subjects) {
    const kept = isAll ? [] : (all[id] ?? []).filter(({ rule }) => !includes(rule));
    const isOwn = ({ path }) => path.startsWith(`src/plugins/${id}/`) || path.startsWith(`tests/plugins/${id}/`);
    all[id] = [...kept, ...findings.filter(isOwn).map(({ rule, path }) => ({ rule, path }))];
  }
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, JSON.stringify(all));
}

function readMemory() {
  try {
    return existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  } catch {
    return {};
  }
}

/** Returns the rules that tests of the running plugin apply. */
function suiteRules() {
  const text = readFileSync(join(root, 'tests/contract/contract-server.ts'), 'utf8');
  const [, list = ''] = /contractRules = \[([^\]]*)\]/.exec(text) ?? [];
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, rule]) => rule);
}

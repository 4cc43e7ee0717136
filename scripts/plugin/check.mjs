/** Implements `check`: judges plugins, in the source tree or in folders of their own, by the rules that `docs/plugin-rules.md` describes. */
import { writeFileSync } from 'node:fs';
import { root } from '../prepare.mjs';
import { durationText } from '../steps.mjs';
import { remember, selectionOf } from './check/selection.mjs';
import { biomeFindings, biomeFixes, dependencyFixes, sourceFindings } from './check/source.mjs';
import { filesOf, subjectsOf } from './check/subject.mjs';
import { testFindings } from './check/tests.mjs';
import { typeFindings } from './check/types.mjs';
import { displayPath } from './deployment.mjs';

const page = 'docs/plugin-rules.md';

export async function run({ ids, values: { fix = false, rule, failed } = {} }) {
  const subjects = subjectsOf(ids);
  const caller = process.cwd();
  process.chdir(root);
  const selection = await selectionOf(subjects, { rule, failed });
  if (fix) for (const subject of subjects) await applyFixes(subject);
  const began = performance.now();
  const filesById = new Map(subjects.map((subject) => [subject.id, filesOf(subject)]));
  const withFiles = (judge) => subjects.map((subject) => judge(subject, filesById.get(subject.id)));
  const { needsTypes, needsSources, needsBiome, includes } = selection;
  const found = await Promise.all([
    testFindings(subjects, filesById, selection),
    ...(needsTypes ? withFiles(typeFindings) : []),
    ...(needsSources ? withFiles((_, files) => sourceFindings(files)) : []),
    ...(needsBiome ? withFiles((_, files) => biomeFindings(files)) : []),
  ]);
  const findings = unique(found.flat()).filter(({ rule }) => includes(rule));
  remember(subjects, findings, selection);
  process.chdir(caller);
  for (const subject of subjects) print(subject, filesById.get(subject.id), findings);
  const names = subjects.map(({ id }) => id).join(', ');
  const duration = durationText(performance.now() - began);
  const scope = selection.isAll ? '' : `${selection.rules.join(', ')} of `;
  console.log(`${scope}${names}: ${findings.length === 0 ? 'passed' : counted(findings.length, 'finding')}. (${duration})`);
  return findings.length === 0 ? 0 : 1;
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function unique(findings) {
  const byKey = new Map(findings.map((one) => [JSON.stringify([one.rule, one.path, one.line, one.reason]), one]));
  return [...byKey.values()];
}

/** Prints the findings of a plugin in the order of its files, each with the page that explains the rule. */
function print({ id, tests, folder }, files, findings) {
  const isOwn = ({ path }) => path.startsWith(`src/plugins/${id}/`) || path.startsWith(`tests/plugins/${id}/`);
  const realPath = ({ path }) => {
    const file = files.find((one) => one.path === path)?.file;
    return displayPath(file ?? path.replace(`src/plugins/${id}`, folder).replace(`tests/plugins/${id}`, tests));
  };
  const own = findings.filter(isOwn).sort((one, other) => (one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1));
  for (const finding of own) {
    const [first, ...rest] = finding.reason.split('\n');
    console.log(`${realPath(finding)}:${finding.line}: [${finding.rule}] ${first}`);
    for (const line of rest) console.log(`    ${line}`);
    console.log(`    ${page}#${finding.rule}\n`);
  }
}

/** Repairs what can be repaired without a decision: dependencies first, because their lines are formatted afterwards. */
async function applyFixes(subject) {
  const steps = [
    ['dependencies', dependencyFixes],
    ['format, lint', biomeFixes],
  ];
  for (const [name, fixed] of steps)
    for (const { file, text } of await fixed(filesOf(subject))) {
      writeFileSync(file, text);
      console.log(`fixed ${displayPath(file)} (${name})`);
    }
}

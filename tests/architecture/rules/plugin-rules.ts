import { filesUnder, type SourceFile } from '../source.ts';
import { importRules } from './imports.ts';
import { layoutRules } from './layout.ts';
import { migrationRules } from './migrations.ts';
import { requestRules } from './requests.ts';
import type { Finding, RuleContext, SourceRule } from './rule.ts';
import { textRules } from './texts.ts';
import { wordRules } from './words.ts';

/** Rules about the text of a plugin's files. The architecture tests apply them to the whole project, and `npm run plugin -- check` to the files of one plugin. */
export const sourceRules: readonly SourceRule[] = [...layoutRules, ...importRules, ...textRules, ...wordRules, ...requestRules, ...migrationRules];

let read: readonly SourceFile[] | undefined;

/** Context of rules in this project. */
const context: RuleContext = {
  source() {
    read ??= filesUnder('src', ['.ts', '.tsx', '.sql']);
    return read;
  },
};

/** Returns the violations of one rule in these files. */
export async function findingsOf(id: string, files: readonly SourceFile[]): Promise<readonly Finding[]> {
  const rule = sourceRules.find((one) => one.id === id);
  if (!rule) throw new Error(`There is no rule "${id}".`);
  return rule.find(files, context);
}

/** Returns the violations of all rules in these files, each with its rule. */
export async function judgeSource(files: readonly SourceFile[]): Promise<(Finding & { readonly rule: string })[]> {
  const found = await Promise.all(sourceRules.map(async ({ id, find }) => (await find(files, context)).map((finding) => ({ rule: id, ...finding }))));
  return found.flat();
}

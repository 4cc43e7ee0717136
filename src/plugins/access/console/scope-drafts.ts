import type { ScopeCondition } from '#shared/scopes';
import type { ScopeField } from '../scope-contract.ts';

/** Comparison of a field in the condition builder. */
export type ScopeOperator = 'is' | 'isNot' | 'below' | 'me' | 'department' | 'departmentAndBelow';

/** One line of the condition builder. */
export interface ScopeLine {
  readonly key: number;
  readonly path: string;
  readonly operator: ScopeOperator;
  readonly values: readonly string[];
}

/** Lines of the builder, of which a row must meet all or any. */
export interface ScopeDraft {
  readonly match: 'all' | 'any';
  readonly lines: readonly ScopeLine[];
}

const operatorsByKind: Readonly<Record<ScopeField['kind'], readonly ScopeOperator[]>> = {
  reference: ['is', 'isNot'],
  options: ['is', 'isNot'],
  user: ['me'],
  department: ['departmentAndBelow', 'department', 'below', 'is'],
};

/** Returns the comparisons of a field; those with values only if the field has choices. */
export const operatorsOf = ({ kind, traits }: ScopeField): readonly ScopeOperator[] =>
  operatorsByKind[kind].filter((operator) => traits !== undefined || !needsValues(operator));

/** Tests whether a comparison has values to select. */
export const needsValues = (operator: ScopeOperator): boolean => operator === 'is' || operator === 'isNot' || operator === 'below';

/** Returns a line for a field with its first comparison. */
export const lineOf = (field: ScopeField, key: number): ScopeLine => ({ key, path: field.path, operator: operatorsOf(field)[0] ?? 'is', values: [] });

/** Reads a condition as lines; undefined if the builder cannot show it, because it is nested, reads other fields or matches no row. */
export function readDraft(condition: ScopeCondition | null | undefined, fields: readonly ScopeField[]): ScopeDraft | undefined {
  if (!condition) return { match: 'all', lines: [] };
  const match = 'any' in condition ? 'any' : 'all';
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition];
  if (match === 'any' && parts.length === 0) return undefined;
  const lines = parts.map((part, key) => readLine(part, fields, key));
  return lines.every((line) => line !== undefined) ? { match, lines } : undefined;
}

function readLine(part: ScopeCondition, fields: readonly ScopeField[], key: number): ScopeLine | undefined {
  if ('all' in part || 'any' in part || 'filled' in part) return undefined;
  const field = fields.find(({ path }) => path === part.field);
  if (!field) return undefined;
  const [operator, values] = comparisonOf(part);
  const line: ScopeLine = { key, path: part.field, operator, values: [values].flat().map(String) };
  return operatorsOf(field).includes(operator) ? line : undefined;
}

function comparisonOf(part: Exclude<ScopeCondition, { all: unknown } | { any: unknown } | { filled: unknown }>) {
  if ('of' in part) return [part.of, []] as const;
  if ('below' in part) return ['below', part.below] as const;
  return 'is' in part ? (['is', part.is] as const) : (['isNot', part.isNot] as const);
}

/** Returns the condition of a draft; undefined while a line lacks its values or there is none. */
export function writeDraft({ match, lines }: ScopeDraft): ScopeCondition | undefined {
  if (lines.length === 0 || lines.some(({ operator, values }) => needsValues(operator) && values.length === 0)) return undefined;
  const parts = lines.map(({ path: field, operator, values }): ScopeCondition => {
    if (operator === 'is') return { field, is: values };
    if (operator === 'isNot') return { field, isNot: values };
    return operator === 'below' ? { field, below: values } : { field, of: operator };
  });
  return match === 'all' ? { all: parts } : { any: parts };
}

/** Translates a draft to other rows, by the fields that refer to the same entity: a task's advertiser becomes a payout's. Undefined if a field has no counterpart. */
export function translateDraft(draft: ScopeDraft, from: readonly ScopeField[], to: readonly ScopeField[]): ScopeDraft | undefined {
  const lines = draft.lines.map((line) => {
    const target = from.find(({ path }) => path === line.path)?.target;
    const counterpart = target === undefined ? undefined : to.find((field) => field.target === target && operatorsOf(field).includes(line.operator));
    return counterpart && { ...line, path: counterpart.path };
  });
  return lines.every((line) => line !== undefined) ? { match: draft.match, lines } : undefined;
}

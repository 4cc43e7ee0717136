import { map, type Observable, of } from 'rxjs';
import type { FieldValues } from '#shared/condition';
import type { ListInput } from '#shared/contract';
import { lookupInput } from '#shared/fields';
import { type Bounds, boundsMessage, boundsOf, type Rule, ruleFields, ruleProblem, type WithinRule } from '#shared/rules';
import { isEmpty, type LocalizedText } from '#shared/text';
import type { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import type { FormField } from '../model/entity-fields.ts';
import { choicesCall } from '../references/reference-store.ts';

/** Bounds that a referenced record sets, by field. */
export type ReferencedBounds = Readonly<Record<string, Bounds>>;

interface RuleContext {
  readonly rules: readonly Rule[];
  /** Visible fields of the form. */
  readonly fields: readonly FormField[];
  readonly values: FieldValues;
  readonly bounds: ReferencedBounds;
}

/** Returns the message of the first rule between fields that is broken and is shown at this field. */
export function fieldRuleProblem(name: string, { rules, fields, values, bounds }: RuleContext): LocalizedText | undefined {
  const properties = Object.fromEntries(fields.map((field) => [field.name, field.schema]));
  const schema = properties[name];
  for (const rule of rules.filter((candidate) => ruleFields(candidate)[1] === name)) {
    const found = rule.kind === 'within' ? schema && boundsMessage(schema, values[name], bounds[name] ?? {}) : ruleProblem(rule, properties, values)?.message;
    if (found) return found;
  }
  return undefined;
}

/** Returns the fields whose rules read this field as well. */
export const ruleTargets = (rules: readonly Rule[], name: string): string[] =>
  rules.flatMap((rule) => (ruleFields(rule)[0] === name ? [ruleFields(rule)[1]] : []));

export const withinRules = (rules: readonly Rule[]): WithinRule[] => rules.filter((rule) => rule.kind === 'within');

/** Reads the bounds of a rule from the record that the reference field names, through the call of its picker; none if it cannot be read. */
export function loadBounds(http: Http, rule: WithinRule, reference: FormField | undefined, id: unknown): Observable<Bounds> {
  const source = reference?.traits.reference;
  if (!source || isEmpty(id)) return of({});
  const selected = source.lookup ? { [source.lookup]: String(id) } : {};
  return observeRequest(http, choicesCall(source), { ...lookupInput(source), ...selected } as ListInput, { quiet: true }).pipe(
    map((answer) => {
      const records = answer.success ? recordsOf(answer.data) : [];
      const record = records.find((candidate) => String(candidate[source.value]) === String(id));
      return record ? boundsOf(rule, record) : {};
    }),
  );
}

function recordsOf(reply: unknown): FieldValues[] {
  const records = Array.isArray(reply) ? reply : (reply as { records?: unknown } | null)?.records;
  return Array.isArray(records) ? records : [];
}

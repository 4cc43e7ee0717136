import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { type FieldTraits, Id, Integer, Text } from '#shared/fields';
import type { ScopeCondition } from '#shared/scopes';
import type { LocalizedText } from '#shared/text';

const blade = '/api/blade-system/scope-rule';
const access = { code: 'role_grant' };
const text = Type.Unsafe<string>({ type: 'string' });
const name = Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 });
const localizedText = Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } });

/** Rows that a rule shows. `follow` is no rule: a person sees what their roles show, a role shows everything. */
export const ruleTypes = { follow: 0, all: 1, own: 2, department: 3, departmentAndBelow: 4, custom: 5 } as const;
export type RuleType = (typeof ruleTypes)[keyof typeof ruleTypes];

/** Kinds of fields by which rows are limited. */
export type ScopeFieldKind = 'reference' | 'options' | 'user' | 'department';

const ScopeField = Type.Object({
  /** Path of the field: `taskId.advertiserId` is the advertiser of the task of a submission. */
  path: text,
  title: localizedText,
  kind: Type.Unsafe<ScopeFieldKind>({ type: 'string', enum: ['reference', 'options', 'user', 'department'] }),
  /** Entity that the field refers to. Fields of several entities with the same target take the same limit: the advertiser of tasks and that of payouts. */
  target: Type.Optional(text),
  /** Source or options of its values. */
  traits: Type.Optional(Type.Unsafe<Pick<FieldTraits, 'title' | 'widget'> & Partial<FieldTraits>>({ type: 'object', additionalProperties: true })),
});
/** Field by which the rows of an entity can be limited. */
export type ScopeField = Static<typeof ScopeField>;

const ScopeArea = Type.Object({
  entity: text,
  /** Titles of the pages that show its rows. */
  title: text,
  /** Heading of the menu that these pages are in. */
  group: text,
  /** Codes of these pages: a role or person without any of them does not see the rows. */
  codes: Type.Array(text),
  fields: Type.Array(ScopeField),
});
/** Entity whose rows can be limited, with the pages that show them. */
export type ScopeArea = Static<typeof ScopeArea>;

const Holder = { roleId: Type.Optional(Id()), userId: Type.Optional(Id()) };
const condition = Type.Optional(Type.Unsafe<ScopeCondition | null>({ type: ['object', 'null'], additionalProperties: true }));
const type = Integer({ title: ['可见范围', 'Visible rows'], minimum: 0, maximum: 5 });
const Rule = Type.Object({ entity: name, type, condition });
export type RuleInput = Static<typeof Rule>;

const StoredRule = Type.Object({
  ...Rule.properties,
  /** The rule as a phrase: “广告主为 晨麦、蓝鲸”. */
  sentence: text,
  /** Further limit, because the person who granted it sees a part of the rows only. */
  within: Type.Optional(text),
});
const StoredRules = Type.Object({
  /** Version of the rules; a request with an older version is refused. */
  version: text,
  rules: Type.Array(StoredRule),
  /** Codes of the pages that the role or person has. */
  codes: Type.Array(text),
  /** Of a person: the rows that their roles show, for each entity that a role limits. */
  inherited: Type.Array(Type.Object({ entity: text, sentence: text })),
});
export type StoredRules = Static<typeof StoredRules>;

const Preview = Type.Object({
  sentence: text,
  /** Number of rows; null if they could not be counted in time. */
  total: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** Number of rows that the caller sees. */
  of: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** False if `total` is null or a lower bound, because there were too many rows to count. */
  isExact: Type.Boolean(),
  titles: Type.Array(text),
});
export type RulePreview = Static<typeof Preview>;

/** Calls for the rows that a role shows, or that a person sees regardless of their roles. A request names either `roleId` or `userId`. */
export const scopeRule = {
  areas: get(`${blade}/areas`, { title: ['可限定的数据', 'Scopable data'], access, input: NoInput, reply: Type.Array(ScopeArea) }),
  stored: get(`${blade}/of`, { title: ['可见范围', 'Visible rows'], access, input: Type.Object(Holder), reply: StoredRules }),
  /** Returns the name of a person whose rules are set. */
  person: get(`${blade}/person`, { title: ['人员姓名', 'Name of a person'], access, input: Type.Object({ userId: Id() }), reply: Type.Object({ name: text }) }),
  /** Sets the rules of the given entities; those of other entities stay. */
  set: post(`${blade}/set`, {
    title: ['设置可见范围', 'Set visible rows'],
    access,
    proof: 'fresh',
    input: Type.Object({ ...Holder, rules: Type.Array(Rule, { minItems: 1, maxItems: 200 }), version: Type.Optional(text) }),
    reply: StoredRules,
  }),
  /** Counts the rows a user would see, the caller by default. Changes nothing; a POST because a condition can exceed an address. */
  preview: post(`${blade}/preview`, {
    title: ['预览可见范围', 'Preview visible rows'],
    access,
    input: Type.Object({ ...Rule.properties, userId: Holder.userId }),
    reply: Preview,
  }),
  /** Lists every rule of the tenant as a sentence. */
  list: get(`${blade}/list`, {
    title: ['全部可见范围', 'All visible rows'],
    access,
    input: NoInput,
    reply: Type.Array(
      Type.Object({
        ...Holder,
        name: Text({ title: ['名称', 'Name'] }),
        entity: text,
        area: text,
        type: Type.Unsafe<number>({ type: 'integer' }),
        sentence: text,
      }),
    ),
  }),
};

/** Builds the condition that limits rows to the given ids of advertisers, cities or departments. `limits` maps a target to its ids; undefined if a target has no field. */
export function conditionFor(fields: readonly ScopeField[], limits: Readonly<Record<string, readonly string[]>>): ScopeCondition | undefined {
  const all: ScopeCondition[] = [];
  for (const [target, ids] of Object.entries(limits)) {
    if (ids.length === 0) continue;
    const field = fields.find((one) => one.target === target);
    if (!field) return undefined;
    all.push(field.kind === 'department' ? { field: field.path, below: ids } : { field: field.path, is: ids });
  }
  return { all };
}

export const scopeRuleProblems = {
  holder: problem(400, ['请指定角色或人员', 'Specify a role or a person.']),
  unknownEntity: problem(400, ['没有可限定的数据 {name}', 'There is no data {name} to restrict.']),
  condition: problem(400, ['条件不完整或不是有效的条件', 'The condition is incomplete or invalid.']),
  unknownField: problem(400, ['不能按 {name} 限定', 'Rows cannot be restricted by {name}.']),
  self: problem(403, ['不能更改自己的可见范围', 'You cannot change the rows that you see yourself.']),
  widens: problem(403, ['这会让对方看到您看不到的数据', 'This would show rows that you do not see yourself.']),
};

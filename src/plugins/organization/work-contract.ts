import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { type FieldTraits, Id, Phone, Text } from '#shared/fields';
import { OneTimePassword } from '#shared/one-time-passwords';
import type { LocalizedText } from '#shared/text';

const users = '/api/oms-system/user';
const access = { code: 'user_role' };
const text = Type.Unsafe<string>({ type: 'string' });

const Work = Type.Object({
  /** `role:` with the id of a role, or `page:` with the code of a page. */
  key: text,
  title: text,
  /** Menu group of a page; empty for a role. */
  group: text,
  /** Pages of a role, or buttons of a page. */
  parts: Type.Array(text),
  /** Entities that can limit the rows of the work. */
  targets: Type.Array(text),
});
/** Work that a user can be given. */
export type Work = Static<typeof Work>;

const WorkField = Type.Object({
  target: text,
  title: Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } }),
  traits: Type.Unsafe<FieldTraits>({ type: 'object', additionalProperties: true }),
});
/** Field whose values limit the rows of work, by the entity that it names. */
export type WorkField = Static<typeof WorkField>;

const Limit = Type.Object({
  target: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 }),
  ids: Type.Array(Id(), { minItems: 1, maxItems: 200 }),
});

/** Calls that give a user work: account, roles and visible rows in one request. */
export const workCalls = {
  works: get(`${users}/works`, {
    title: ['可分配的工作', 'Assignable work'],
    access,
    input: NoInput,
    reply: Type.Object({ works: Type.Array(Work), fields: Type.Array(WorkField) }),
  }),
  /** Names a known user by `userId`, or a new one by account and name, whose one-time password only this reply contains. Work that the user has stays. */
  give: post(`${users}/give-work`, {
    title: ['分配工作', 'Assign work'],
    access,
    proof: 'fresh',
    input: Type.Object({
      userId: Type.Optional(Id()),
      account: Type.Optional(Text({ title: ['账号', 'Account'], maxLength: 64, pattern: '^\\S+$' })),
      realName: Type.Optional(Text({ title: ['姓名', 'Name'], maxLength: 64 })),
      phone: Type.Optional(Phone({ title: ['手机号', 'Phone'] })),
      works: Type.Array(Type.Unsafe<string>({ type: 'string', pattern: '^(role:\\d{1,19}|page:\\w{1,64})$' }), { minItems: 1, maxItems: 50 }),
      limits: Type.Optional(Type.Array(Limit, { maxItems: 50 })),
    }),
    reply: Type.Object({ id: Id(), account: text, realName: text, oneTimePassword: Type.Optional(OneTimePassword) }),
  }),
};

export const workProblems = {
  person: problem(400, ['请指定一位已有用户或填写新用户', 'Select a user or enter a new one.']),
};

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { post } from '#shared/contract';
import { problem } from '#shared/errors';
import { Email, Phone, Text } from '#shared/fields';
import { FileLink } from '#shared/transfer-schemas';
import { personMenu } from './menus.ts';

const path = '/api/blade-system/person';

const Title = Type.Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } });
const MaybeTitle = Type.Unsafe<readonly [string, string] | null>({ type: ['array', 'null'], items: { type: 'string' } });
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Names of a person: the account, or the phone number or e-mail address of someone without one. */
const Reference = Type.Object({
  account: Type.Optional(Text({ title: ['账号', 'Account'], maxLength: 64, personal: 'other' })),
  phone: Type.Optional(Phone({ title: ['手机号', 'Phone'] })),
  email: Type.Optional(Email({ title: ['邮箱', 'E-mail address'] })),
});
/** Names of a person in a request. */
export type PersonInput = Static<typeof Reference>;

const Records = Type.Object({
  plugin: Type.String(),
  title: Title,
  /** Rows that are deleted or cleared. */
  erased: Type.Integer(),
  isDeleted: Type.Boolean(),
  /** Rows that stay, with the reason and the time until which they do. */
  kept: Type.Integer(),
  reason: MaybeTitle,
  until: MaybeTitle,
});

const Report = Type.Object({
  person: Type.Object({
    userId: NullableText,
    account: NullableText,
    name: Type.String(),
    phones: Type.Array(Type.String()),
    emails: Type.Array(Type.String()),
  }),
  records: Type.Array(Records),
  files: Type.Object({ erased: Type.Integer(), kept: Type.Integer() }),
});
/** Effect of an erasure that is planned or done. Phone numbers and addresses are masked. */
export type PersonReport = Static<typeof Report>;

/** Calls that find, export and erase everything about one person. */
export const personCalls = {
  /** Says what is stored about a person and what an erasure would do; changes nothing. */
  plan: post(`${path}/plan`, { title: ['查找个人数据', 'Find personal data'], access: { code: personMenu.code }, input: Reference, reply: Report }),
  /** Returns a link to a ZIP archive of all rows and files, which is deleted after an hour. */
  export: post(`${path}/export`, {
    title: ['导出个人数据', 'Export personal data'],
    access: { code: 'person_export' },
    proof: 'fresh',
    input: Reference,
    reply: FileLink,
  }),
  /** Erases the person. `confirmation` is the name that `plan` has returned. */
  erase: post(`${path}/erase`, {
    title: ['删除个人数据', 'Erase personal data'],
    access: { code: 'person_erase' },
    proof: 'fresh',
    input: Type.Object({
      ...Reference.properties,
      confirmation: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 128, writeOnly: true }),
    }),
    reply: Report,
  }),
};

export const privacyProblems = {
  noReference: problem(400, ['请填写账号、手机号或邮箱', 'Enter an account, a phone number or an e-mail address.']),
  wrongName: problem(400, ['输入的姓名与该人员不符', 'The name is not that of this person.']),
};

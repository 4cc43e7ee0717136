import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, list, NoContent, post, type RowOf, withFreshProof } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateTime, type FieldTraits, Id, Integer, Money, Nullable, Reference, Secret, Select, Text } from '#shared/fields';
import type { PersonalKind } from '#shared/personal';
import { payeeIncomeMenu, payeeMenu } from './menus.ts';

export * from './report-contract.ts';
export * from './withholding-contract.ts';

const path = '/api/things-task/payee';
const identity = ['身份', 'Identity'] as const;
const accounts = ['收款账户', 'Accounts'] as const;
const consent = ['个人信息授权', 'Consent'] as const;
const sealedText = (
  title: readonly [string, string],
  group: readonly [string, string],
  removable: NonNullable<FieldTraits['removable']>,
  personal: PersonalKind = 'account',
) =>
  Nullable(
    Secret({
      removable,
      personal,
      title,
      maxLength: 128,
      requiredWhen: { field: 'id', is: '0' },
      help: ['加密保存；留空不变', 'Stored encrypted. Leave empty to keep the stored value'],
      group,
    }),
  );
const removedDocument = [
  '保存后证件号码被删除且无法恢复，该收款人须补填证件号码并重新核验；已编制的报告不变',
  'Saving deletes the number for good. The payee needs a number and a new verification; compiled reports stay as they are',
] as const;
const removedAccount = [
  '保存后账号被删除且无法恢复，不再向它付款，该收款人须重新核验；已发起的付款不受影响',
  'Saving deletes the account for good. Nothing more is paid to it, and the payee needs a new verification; payments already started are not affected',
] as const;

/** States of a number in a history, which says nothing of the number itself. */
export const numberStates = { entered: 1, replaced: 2, removed: 3 } as const;
const numberChange = (title: readonly [string, string]) =>
  Nullable(
    Select({
      title,
      options: [
        [numberStates.entered, ['已填写', 'Entered']],
        [numberStates.replaced, ['已更换', 'Replaced']],
        [numberStates.removed, ['已清除', 'Removed']],
      ],
    }),
  );
const numberChanges = {
  documentNoChange: numberChange(['证件号码', 'Document no.']),
  alipayAccountChange: numberChange(['支付宝账号', 'Alipay account']),
  bankCardChange: numberChange(['银行卡号', 'Card no.']),
};

const readOnlyText = (title: readonly [string, string], group: readonly [string, string], maxLength = 64) =>
  Nullable(Text({ title, maxLength, form: false, group }));

/** Users by name, for the form of a payee. */
const Person = entity(
  'user_account',
  {
    id: Id(),
    realName: Text({ title: ['姓名', 'Name'], maxLength: 64, search: true, personal: 'name' }),
    account: Text({ title: ['账号', 'Account'], maxLength: 64, search: true, personal: 'other' }),
  },
  { ownership: { user: 'id', department: 'deptId' }, versioned: false },
);
/** Entity of the rows of `payee.people`. */
export const payeePerson = { entity: Person };
const people = list(`${path}/people`, Person, { code: payeeMenu.code }, ['用户下拉', 'User options']);

/** States of a payee. A change of the identity or of an account makes a payee unverified again. */
export const payeeStates = { unverified: 0, verified: 1, rejected: 2 } as const;
/** Kinds of identity documents. */
export const documentKinds = { idCard: 1, passport: 2, hongKongMacao: 3, taiwan: 4, residencePermit: 5, other: 9 } as const;

/** User who is or will be paid; its id is that of the user. Numbers are stored encrypted, and every list, form and export has only their masked form. */
export const Payee = entity(
  'payee',
  {
    id: Id(),
    nickName: Text({ title: ['收款人', 'Payee'], maxLength: 64, form: false, search: true, width: 120, personal: 'name' }),
    userId: Reference({
      title: ['用户', 'User'],
      from: { call: people, paged: true, title: 'realName', search: 'realName' },
      onDelete: 'keep',
      immutable: true,
      list: false,
      filter: true,
      group: identity,
    }),
    state: Select({
      title: ['核验', 'Verification'],
      form: false,
      search: true,
      options: [
        [payeeStates.unverified, ['待核验', 'Unverified']],
        [payeeStates.verified, ['已核验', 'Verified']],
        [payeeStates.rejected, ['已驳回', 'Rejected']],
      ],
      tones: { 0: 'warning', 1: 'good', 2: 'danger' },
    }),
    name: Nullable(Text({ title: ['真实姓名', 'Verified name'], maxLength: 64, search: true, personal: 'name', group: identity })),
    documentKind: Nullable(
      Select({
        title: ['证件类型', 'Document'],
        search: true,
        group: identity,
        options: [
          [documentKinds.idCard, ['居民身份证', 'ID card']],
          [documentKinds.passport, ['护照', 'Passport']],
          [documentKinds.hongKongMacao, ['港澳居民来往内地通行证', 'Mainland travel permit (Hong Kong, Macao)']],
          [documentKinds.taiwan, ['台湾居民来往大陆通行证', 'Mainland travel permit (Taiwan)']],
          [documentKinds.residencePermit, ['外国人永久居留身份证', 'Permanent residence card']],
          [documentKinds.other, ['其他', 'Other']],
        ],
      }),
    ),
    documentNo: sealedText(['证件号码', 'Document no.'], identity, { maskField: 'documentMask', meaning: removedDocument }, 'identity'),
    documentMask: readOnlyText(['证件号码', 'Document no.'], identity),
    alipayAccount: sealedText(['支付宝账号', 'Alipay account'], accounts, { maskField: 'alipayMask', meaning: removedAccount }),
    alipayMask: readOnlyText(['支付宝账号', 'Alipay account'], accounts, 128),
    bankName: Nullable(Text({ title: ['开户银行', 'Bank'], maxLength: 64, list: false, group: accounts })),
    bankCard: sealedText(['银行卡号', 'Card no.'], accounts, { maskField: 'bankMask', meaning: removedAccount }),
    bankMask: readOnlyText(['银行卡号', 'Card no.'], accounts),
    consentTime: Nullable(DateTime({ title: ['授权时间', 'Consent given'], search: true, group: consent })),
    consentVersion: Nullable(
      Text({ title: ['授权书版本', 'Consent version'], maxLength: 32, list: false, requiredWhen: { field: 'consentTime', filled: true }, group: consent }),
    ),
    consentRecorder: readOnlyText(['授权登记人', 'Consent recorded by'], consent),
    /** User who entered or changed the identity or an account last, and who does not verify it. */
    identityBy: Nullable(Id({ title: ['身份登记人编号', 'Identity entered by (ID)'], list: false, form: false })),
    identityByName: readOnlyText(['身份登记人', 'Identity entered by'], identity),
    reviewerName: readOnlyText(['核验人', 'Verified by'], identity),
    reviewTime: Nullable(DateTime({ title: ['核验时间', 'Reviewed'], form: false, search: true })),
    reason: Nullable(Text({ title: ['驳回原因', 'Reason'], form: false })),
    revealedBy: readOnlyText(['最近查看人', 'Last revealed by'], identity),
    revealedTime: Nullable(DateTime({ title: ['最近查看时间', 'Last revealed'], form: false })),
    reveals: Integer({ title: ['完整查看次数', 'Times revealed'], minimum: 0, form: false }),
  },
  { archivable: false, related: numberChanges },
);
export type PayeeRow = RowOf<typeof Payee>;

const {
  remove: _remove,
  restore: _restore,
  recycled: _recycled,
  ...payees
} = withFreshProof(crud(path, Payee, { menu: payeeMenu.code }), 'export', 'historyExport');
const mayVerify = { code: 'payee_verify' };
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** The payee as the reviewer has looked at it: a later change makes the review a conflict. */
const Reviewed = Type.Object({ id: Id(), version: Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,20}$' }) });

const Numbers = Type.Object({
  version: Type.Unsafe<string>({ type: 'string' }),
  documentNo: nullableText,
  alipayAccount: nullableText,
  bankCard: nullableText,
});
/** Numbers of a payee in the clear, with the version that has them. */
export type PayeeNumbers = Static<typeof Numbers>;

export const payee = {
  ...payees,
  people,
  /** Confirms that the identity of a payee has been checked, by another user than the one who entered or changed it last. */
  verify: post(`${path}/verify`, { title: ['核验通过', 'Verify'], access: mayVerify, input: Reviewed, reply: NoContent }),
  reject: post(`${path}/reject`, {
    title: ['核验驳回', 'Reject'],
    access: mayVerify,
    input: Type.Object({ ...Reviewed.properties, reason: Text({ title: ['驳回原因', 'Reason'], maxLength: 255 }) }),
    reply: NoContent,
  }),
  /** Returns the numbers of a payee in the clear, to a caller who enters the own password again. The history of the payee records it. */
  reveal: post(`${path}/reveal`, {
    title: ['查看完整号码', 'Reveal numbers'],
    access: { code: 'payee_reveal' },
    input: Type.Object({ id: Id(), password: Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 512, writeOnly: true }) }),
    reply: Numbers,
  }),
};

/** Lengths of the periods of income. */
export const periodKinds = { month: 1, quarter: 2, year: 3 } as const;

/** Paid income of a payee in one period, by the day of the payment. Amounts in 分; gross = withheld + net. */
export const PayeeIncome = entity(
  'payee_income',
  {
    id: Id(),
    userId: Reference({
      title: ['收款人', 'Payee'],
      from: { call: payees.list, paged: true, title: 'nickName', search: 'nickName' },
      onDelete: 'refuse',
      form: false,
      search: true,
    }),
    kind: Select({
      title: ['期间类型', 'Period type'],
      form: false,
      search: true,
      options: [
        [periodKinds.month, ['月', 'Month']],
        [periodKinds.quarter, ['季度', 'Quarter']],
        [periodKinds.year, ['年', 'Year']],
      ],
    }),
    period: Text({
      title: ['所属期', 'Period'],
      maxLength: 7,
      form: false,
      search: true,
      help: ['2026-11、2026-Q4 或 2026', '2026-11, 2026-Q4 or 2026'],
    }),
    payouts: Integer({ title: ['笔数', 'Payouts'], minimum: 0, form: false }),
    // Months, quarters and years of one list contain the same payouts.
    gross: Money({ title: ['应发金额', 'Gross'], form: false, search: true, total: false }),
    withheld: Money({ title: ['代扣税款', 'Withheld tax'], form: false, total: false }),
    net: Money({ title: ['实付金额', 'Net'], form: false, total: false }),
  },
  { history: false },
);
export type PayeeIncomeRow = RowOf<typeof PayeeIncome>;

const { list: incomes, export: incomeExport } = withFreshProof(crud(`${path}-income`, PayeeIncome, { menu: payeeIncomeMenu.code }), 'export');

/** Calls on the income of payees. */
export const payeeIncome = {
  entity: PayeeIncome,
  menu: payeeIncomeMenu.code,
  list: incomes,
  export: incomeExport,
};

/** Reasons why payees, rules and reports are refused. */
export const payeeProblems = {
  partialView: problem(403, [
    '您只能看到部分收款人或付款，不能查看收款人收入',
    'You can only see some of the payees or payments, so payee income is not available to you.',
  ]),
  ownIdentity: problem(403, ['不能核验自己', 'You cannot verify yourself.']),
  ownEntry: problem(403, ['身份信息由您最后登记或修改，须由他人核验', 'You last entered or changed this identity, so another user must verify it.']),
  noUser: problem(400, ['用户不存在', 'User not found.']),
  wrongIdNumber: problem(400, ['身份证号码不正确，请核对 18 位号码', 'The ID card number is not valid. Check its 18 characters.']),
  wrongDocument: problem(400, ['证件号码须为 5 至 30 位字母或数字', 'Enter a document number of 5 to 30 letters or digits.']),
  wrongAlipay: problem(400, ['支付宝账号须为手机号或邮箱', 'Enter a phone number or email address as the Alipay account.']),
  wrongCard: problem(400, ['银行卡号须为 8 至 30 位数字', 'Enter a card number of 8 to 30 digits.']),
  incomplete: problem(409, ['收款人的姓名或证件不完整，不能核验', 'The payee’s name or document is missing.']),
  notVerifiable: problem(409, ['该收款人已核验', 'This payee has already been verified.']),
  notRejectable: problem(409, ['该收款人已驳回', 'This payee has already been rejected.']),
};

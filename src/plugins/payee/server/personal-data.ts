import { type PersonalRecords, recordsOf } from '#server';
import { Payee, PayeeIncome, payeeStates } from '../contract.ts';

const byUser = { userId: 'user' } as const;
const tax = {
  reason: [
    '已有收入的收款人须留存姓名与证件，用于代扣个人所得税和涉税信息报送',
    'The name and document of a payee with income are required for withheld tax and for reports to the tax authority',
  ],
  until: ['最后一次付款后 10 年（《税收征收管理法实施细则》）', '10 years after the last payment (rules of the Tax Collection Law)'],
} as const;
const hasIncome = 'exists (select from payee_income i where i.tenant_id = payee.tenant_id and i.user_id = payee.user_id)';

/** Identity and accounts of a payee. Accounts are erased always, the identity unless tax law requires it. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Payee, {
    title: ['收款账户', 'Accounts of payees'],
    person: byUser,
    fields: ['alipayAccount', 'bankCard'],
    erase: { alipayMask: null, bankName: null, bankMask: null, state: payeeStates.unverified },
  }),
  recordsOf(Payee, {
    title: ['收款人身份', 'Identity of payees'],
    person: byUser,
    fields: ['nickName', 'name', 'documentNo'],
    erase: { documentMask: null, documentKind: null, consentRecorder: null },
    kept: { ...tax, where: hasIncome },
  }),
  recordsOf(PayeeIncome, { title: ['收款人收入', 'Income of payees'], person: byUser, erase: 'none', kept: tax }),
  {
    table: 'platform_report_row',
    title: ['涉税信息报送', 'Tax reports'],
    person: { user_id: 'user' },
    columns: ['report_id', 'name', 'document_kind', 'document_mask', 'payouts', 'gross', 'withheld'],
    encrypted: ['document_no'],
    kept: tax,
  },
];

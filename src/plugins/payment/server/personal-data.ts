import { type PersonalRecords, recordsOf } from '#server';
import { Payout } from '../contract.ts';

/** Payouts to a person. They are never erased, because records of payments are never changed. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Payout, {
    title: ['付款单', 'Payouts'],
    person: { userId: 'user' },
    erase: 'none',
    kept: {
      reason: ['付款与账务记录须依法保存，且已封存', 'Payments and their postings are retained by law, and are sealed'],
      until: ['30 年（《会计档案管理办法》）', '30 years (Accounting Archives Regulation)'],
    },
  }),
];

import { erasedName, type PersonalRecords, recordsOf } from '#server';
import { Submission } from '../contract.ts';
import { rejectedProofDays } from '../parameter-contract.ts';
import { reviewStates } from '../state-contract.ts';

const byUser = { userId: 'user' } as const;

/** Work of a person. Proof of work that was paid or is to be paid stays, without the person's name and contact. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(Submission, {
    title: ['任务提交', 'Submissions'],
    person: byUser,
    erase: { nickName: erasedName },
  }),
  recordsOf(Submission, {
    title: ['作品与凭证', 'Proofs of work'],
    person: byUser,
    fields: [],
    erase: { link: null, images: null, content: null },
    retention: { days: rejectedProofDays, since: 'audit_time', where: `audit_status = ${reviewStates.rejected}` },
    kept: {
      reason: [
        '已付款或待付款的作品是付款依据，须随会计凭证保存',
        'Work that is paid or to be paid is evidence of the payment and is retained with its voucher',
      ],
      until: ['付款后 30 年（《会计档案管理办法》）', '30 years after the payment (Accounting Archives Regulation)'],
      where: 'audit_status = 1 or pay_status > 0 or pay_no is not null',
    },
  }),
];

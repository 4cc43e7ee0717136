import { type PersonalRecords, recordsOf } from '#server';
import { SmsDelivery, SmsValidation } from '../contract.ts';

/** Sent messages and verification codes, by the phone number. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(SmsDelivery, { title: ['短信发送记录', 'Text messages'], person: { phone: 'phone' }, erase: 'delete' }),
  recordsOf(SmsValidation, { title: ['短信验证', 'Phone verifications'], person: { phone: 'phone' }, erase: 'delete' }),
];

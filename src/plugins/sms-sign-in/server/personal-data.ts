import { type PersonalRecords, recordsOf } from '#server';
import { SmsOutboxMessage } from '../contract.ts';

/** Messages that were stored instead of sent. */
export const personalData: readonly PersonalRecords[] = [
  recordsOf(SmsOutboxMessage, { title: ['短信发件箱', 'Text message outbox'], person: { phone: 'phone' }, erase: 'delete' }),
];

import { type PersonalRecords, recordsOf } from '#server';
import { EmailMessage } from '../contract.ts';

const byUser = { user_id: 'user' } as const;

/** Sent e-mails and mailed views. */
export const personalData: readonly PersonalRecords[] = [
  {
    ...recordsOf(EmailMessage, { title: ['邮件', 'E-mails'], person: { address: 'email' }, erase: 'delete' }),
    person: { user_id: 'user', address: 'email' },
  },
  { table: 'email_view', title: ['定时发送的视图', 'Mailed views'], person: byUser, columns: ['list', 'weekday', 'hour'], erase: 'delete' },
];

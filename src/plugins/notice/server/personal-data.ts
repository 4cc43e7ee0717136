import type { PersonalRecords } from '#server';

const byUser = { user_id: 'user' } as const;

/** Receipts of announcements. */
export const personalData: readonly PersonalRecords[] = [
  { table: 'notice_read', title: ['已读公告', 'Read notices'], person: byUser, columns: ['notice_id', 'read_time'], erase: 'delete' },
  { table: 'notice_told', title: ['已推送公告', 'Announced notices'], person: byUser, columns: ['notice_id'], erase: 'delete' },
  { table: 'notice_newcomer', title: ['新用户公告', 'Notices to new users'], person: byUser, columns: ['user_id'], erase: 'delete' },
];

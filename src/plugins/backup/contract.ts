import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { choiceParameter, flagParameter, integerParameter, type Parameter } from '#shared/parameters';

const group = ['备份', 'Backup'] as const;

/** Days of scheduled backups with their numbers, Monday is 1. */
export const backupDays = {
  daily: [1, 2, 3, 4, 5, 6, 7],
  weekdays: [1, 2, 3, 4, 5],
  weekly: [7],
} as const;

export const backupSchedule = choiceParameter({
  key: 'backup.days',
  group,
  title: ['备份日', 'Backup days'],
  help: ['在设有 BACKUP_DIR 的服务器上自动备份', 'Servers with BACKUP_DIR make backups on these days'],
  preset: 'daily',
  options: [
    ['daily', ['每天', 'Every day']],
    ['weekdays', ['周一至周五', 'Monday to Friday']],
    ['weekly', ['每周日', 'Sundays']],
  ] satisfies [keyof typeof backupDays, readonly [string, string]][],
});
export const backupHour = integerParameter({
  key: 'backup.hour',
  group,
  title: ['备份时间', 'Backup time'],
  help: ['开始备份的整点；错过的备份会补做', 'Full hour at which backups start. A missed backup is made later'],
  preset: 2,
  minimum: 0,
  maximum: 23,
  unit: ['点', 'o’clock'],
});
export const backupsKept = integerParameter({
  key: 'backup.keep',
  group,
  title: ['备份保留份数', 'Backups kept'],
  help: ['新备份完成后，只保留最近的这些自动备份', 'After each new backup, only this many scheduled backups remain'],
  preset: 7,
  minimum: 1,
  maximum: 1000,
});
export const isBackupRestored = flagParameter({
  key: 'backup.restore',
  group,
  title: ['试恢复备份', 'Test each backup'],
  help: [
    '每份备份都会完整读取并核对校验和；开启后还会恢复到临时数据库并逐行比对',
    'Every backup is read completely and its checksums are verified. This also restores it into a temporary database and compares all rows',
  ],
  preset: false,
});

/** Parameters this plugin reads. */
export const backupParameters: readonly Parameter[] = [backupSchedule, backupHour, backupsKept, isBackupRestored];

const backupStates = ['waiting', 'running', 'made', 'failed'] as const;
const BackupRun = Type.Object({
  id: Type.String(),
  /** Host of the server; '' while it waits for one. */
  server: Type.String(),
  startTime: Type.String(),
  seconds: Type.Number(),
  state: Type.Unsafe<(typeof backupStates)[number]>({ type: 'string', enum: [...backupStates] }),
  isRequested: Type.Boolean(),
  /** True if the backup was also restored into a temporary database. */
  isVerified: Type.Boolean(),
  bytes: Type.Number(),
  /** Number of files whose content is missing. */
  missing: Type.Integer(),
  /** Reason of a failure, in English; '' otherwise. */
  problem: Type.String(),
});
export type BackupRun = Static<typeof BackupRun>;

/** Code of the health screen, and of its button that requests a backup. */
export const backupCodes = { page: 'health', start: 'health_backup' } as const;

/** Calls of the backup section of the health screen. */
export const backupCalls = {
  state: get('/api/things-system/backup/state', {
    title: ['备份状态', 'State of backups'],
    access: { code: backupCodes.page },
    input: NoInput,
    reply: Type.Object({
      /** False if no running server has `BACKUP_DIR`. */
      isConfigured: Type.Boolean(),
      /** Time of the next planned backup. */
      nextTime: Type.String(),
      runs: Type.Array(BackupRun),
    }),
  }),
  /** Requests a backup; a server with `BACKUP_DIR` makes it. */
  start: post('/api/things-system/backup/start', { title: ['立即备份', 'Back up now'], access: { code: backupCodes.start }, input: NoInput, reply: NoContent }),
};

export const backupProblems = {
  notConfigured: problem(409, ['没有服务器设置了 BACKUP_DIR，请设置后重启服务器', 'No server has BACKUP_DIR. Set it and restart the server.']),
  inProgress: problem(409, ['已有备份正在进行，请等待其完成', 'A backup is already in progress. Wait for it to finish.']),
};

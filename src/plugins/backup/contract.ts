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
  help: ['开始备份的整点；错过的备份会补做', 'Full hour at which a backup begins; a missed one is made later'],
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
    'Each backup is read to its end with its checksums; this also restores it into a temporary database and compares all rows',
  ],
  preset: false,
});

/** Parameters this plugin reads. */
export const backupParameters: readonly Parameter[] = [backupSchedule, backupHour, backupsKept, isBackupRestored];

import type { LocalizedText } from '#shared/text';
import type { BackupRun } from '../contract.ts';

/** Texts of the backup section of the health screen. */
export const backupMessages = {
  start: ['立即备份', 'Back up now'],
  requested: ['备份已开始', 'Backup started'],
  nextBackup: ['下次自动备份：{time}', 'Next scheduled backup: {time}'],
  notConfigured: [
    '没有服务器自动备份。请在服务器上设置 BACKUP_DIR（另一块磁盘上的文件夹）并重启，说明见运维文档「备份 › 计划」。',
    'No server makes backups. Set BACKUP_DIR, a folder on another disk, on a server and restart it. See “Backup › Schedule” in the operating guide.',
  ],
  runs: ['最近的备份', 'Recent backups'],
  noRuns: ['还没有备份', 'No backups yet'],
  sizeAndDuration: ['{size}，用时 {duration}', '{size} in {duration}'],
  inProgress: ['{server} 正在备份，已 {duration}', 'Running on {server} for {duration}'],
  waiting: ['等待设有 BACKUP_DIR 的服务器', 'Waiting for a server with BACKUP_DIR'],
  verified: ['已试恢复', 'Test restored'],
  checked: ['已核对校验和', 'Checksums verified'],
  missing: ['缺少 {count} 个文件的内容，系统日志列出了它们', 'Missing content of {count} files, listed in the system log'],
  bySchedule: ['自动', 'Scheduled'],
  byRequest: ['手动', 'Requested'],
  duration: ['{minutes} 分 {seconds} 秒', '{minutes} min {seconds} s'],
} as const satisfies Record<string, LocalizedText>;

/** Names of the states of a backup. */
export const stateMessages: Readonly<Record<BackupRun['state'], LocalizedText>> = {
  waiting: ['等待中', 'Waiting'],
  running: ['备份中', 'In progress'],
  made: ['成功', 'Complete'],
  failed: ['失败', 'Failed'],
};

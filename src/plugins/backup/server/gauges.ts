import { type SQL, sql } from 'drizzle-orm';
import { type Backups, type GaugeSource, queryRows, type ServerContext } from '#server';
import type { BackupRuns } from './backup-runs.ts';

/** Metrics of the last scheduled backup; there are none before the first one. */
export function backupGauges({ db }: Pick<ServerContext, 'db'>, runs: BackupRuns, backups: Backups): GaugeSource[] {
  const ofLast = async (value: SQL) => {
    const rows = await queryRows<{ value: number }>(
      db,
      sql`select ${value}::float8 as value from backup_run where end_time is not null and problem is null order by id desc limit 1`,
    );
    return rows.map((row) => ({ value: row.value }));
  };
  return [
    {
      name: 'marquee_backup_last_success_timestamp_seconds',
      help: 'Time at which the last scheduled backup was complete.',
      read: () => ofLast(sql`extract(epoch from end_time)`),
    },
    { name: 'marquee_backup_size_bytes', help: 'Size of the last scheduled backup.', read: () => ofLast(sql`bytes`) },
    {
      name: 'marquee_backup_duration_seconds',
      help: 'Duration of the last scheduled backup.',
      read: () => ofLast(sql`extract(epoch from end_time - start_time)`),
    },
    {
      name: 'marquee_backup_overdue_seconds',
      help: 'Time since the last planned backup, while it is missing; only on servers that make backups.',
      health: [
        {
          section: 'backup',
          title: ['计划备份逾期', 'Delay of the planned backup'],
          unit: 'seconds',
          limit: {
            above: 14_400,
            isUrgent: true,
            page: 'log_usual',
            text: [
              '计划的备份未完成：原因见备份记录与系统日志，解决后点击「立即备份」',
              'The planned backup is missing. See the list of backups and the system log for the reason, fix it and select “Back up now”.',
            ],
          },
        },
      ],
      read: async () => {
        if (!backups.isConfigured) return [];
        const plannedAt = await runs.plannedAt();
        return queryRows<{ value: number }>(
          db,
          sql`select case when exists (select from backup_run where end_time is not null and problem is null and start_time >= ${plannedAt}::timestamptz) then 0
                else extract(epoch from clock_timestamp() - ${plannedAt}::timestamptz) end::float8 as value`,
        );
      },
    },
  ];
}

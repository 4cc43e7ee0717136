import { sql } from 'drizzle-orm';
import { ApiError, type Backups, type HealthSource, queryRows, RunningServers, route, type ServerContext } from '#server';
import type { LocalizedText } from '#shared/text';
import { backupCalls, backupProblems, isBackupRestored } from '../contract.ts';
import type { BackupRuns } from './backup-runs.ts';

const shownRuns = 10;
/** Age after which a backup no longer counts, as on the setup checklist. */
const maxAgeDays = 7;

type BackupContext = Pick<ServerContext, 'db' | 'get' | 'parameters'>;

/** Tests whether a running server makes backups. */
async function isConfigured({ get }: BackupContext, backups: Backups): Promise<boolean> {
  if (backups.isConfigured) return true;
  const configured = (await get(RunningServers).list()).filter(
    ({ isAlive, report }) => isAlive && report?.disks.some(({ setting }) => setting === 'BACKUP_DIR'),
  );
  return configured.length > 0;
}

/** Serves the backup section of the health screen; `poll` makes this server look for the requested backup at once. */
export const backupRoutes = (context: BackupContext, runs: BackupRuns, backups: Backups, poll: () => void) => [
  route(
    backupCalls.state,
    async () => ({ isConfigured: await isConfigured(context, backups), nextTime: (await runs.plan()).next, runs: await runs.latest(shownRuns) }),
    { manualTransactions: true },
  ),
  route(
    backupCalls.start,
    async ({ principal }) => {
      const { db, parameters } = context;
      if (!(await isConfigured(context, backups))) throw new ApiError(backupProblems.notConfigured);
      const isVerified = await parameters.flag(isBackupRestored);
      await db.asPlatform('backups contain the whole database', async () => {
        await db.lock('backup-schedule');
        if (!(await runs.request(principal.userId, isVerified))) throw new ApiError(backupProblems.inProgress);
      });
      poll();
    },
    { manualTransactions: true },
  ),
];

/** Reports the last backup, also one that a command has made, and the last run if it failed. */
export const backupHealth = (context: BackupContext, runs: BackupRuns, backups: Backups): HealthSource => ({
  section: 'backup',
  async read() {
    const { db } = context;
    const [row] = await db.asPlatform('backups contain the whole database', () =>
      queryRows<{ time: string; isRecent: boolean }>(
        db,
        sql`select to_char(max(recorded_at), 'YYYY-MM-DD HH24:MI:SS') as time, max(recorded_at) > now() - make_interval(days => ${maxAgeDays}) as "isRecent" from backup`,
      ),
    );
    const time = row?.time ?? undefined;
    const last = (await runs.latest(shownRuns)).find(({ state }) => state === 'made' || state === 'failed');
    const text: LocalizedText = time === undefined ? ['无', 'None'] : [time, time];
    const overdue = row?.isRecent ? undefined : overdueProblem(await isConfigured(context, backups));
    const failed = last?.state === 'failed' ? failedProblem(last.problem, last.startTime) : undefined;
    const problem = failed ?? overdue;
    return [{ id: 'last', title: ['最近一次成功备份', 'Last backup'], text, ...(problem ? { problem } : {}) }];
  },
});

function overdueProblem(makesBackups: boolean) {
  const text: LocalizedText = makesBackups
    ? [`近 ${maxAgeDays} 天没有备份：请点击「立即备份」`, `There has been no backup for ${maxAgeDays} days. Select “Back up now”.`]
    : [
        `近 ${maxAgeDays} 天没有备份：请设置 BACKUP_DIR 由服务器定时备份，或运行 npm run backup -- 备份目录`,
        `There has been no backup for ${maxAgeDays} days. Set BACKUP_DIR, so that a server makes them by schedule, or run npm run backup -- FOLDER.`,
      ];
  return { isUrgent: false, text };
}

const failedProblem = (reason: string, since: string) => ({
  isUrgent: true,
  since,
  text: [
    `最近一次备份失败：${reason} 请解决后点击「立即备份」`,
    `The last backup failed: ${reason} Fix the problem and select “Back up now”.`,
  ] as LocalizedText,
});

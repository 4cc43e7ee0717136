import { Backups, defineServerPlugin } from '#server';
import { backupParameters } from '../contract.ts';
import { backupMail } from './alerts.ts';
import { backupHealth, backupRoutes } from './backup-routes.ts';
import { BackupRuns } from './backup-runs.ts';
import { BackupSchedule } from './backup-schedule.ts';
import { backupGauges } from './gauges.ts';

const checkSeconds = 10;

/** Backups by schedule: makes, checks and prunes them on servers with `BACKUP_DIR`, and reports those that fail. */
export default defineServerPlugin({
  id: 'backup',
  title: ['自动备份', 'Scheduled backups'],
  optionalDependencies: ['health'],
  parameters: backupParameters,
  mailKinds: [backupMail],

  setup(context) {
    const backups = context.get(Backups);
    const runs = new BackupRuns(context);
    const schedule = new BackupSchedule(context, runs, backups);
    const stopping = new AbortController();
    let requested: Promise<void> | undefined;
    const runRequested = () => {
      requested = schedule
        .runDue(stopping.signal)
        .catch((error: Error) => context.systemLog.log({ level: 'error', event: 'backup:failed', data: { problem: error.message } }));
    };
    return {
      routes: backupRoutes(context, runs, backups, runRequested),
      gauges: backupGauges(context, runs, backups),
      health: [backupHealth(context, runs, backups)],
      tasks: [{ everySeconds: checkSeconds, run: (signal) => schedule.runDue(signal) }],
      async stop() {
        stopping.abort();
        await requested;
      },
    };
  },
});

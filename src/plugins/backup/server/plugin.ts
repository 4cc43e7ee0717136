import { Backups, defineServerPlugin } from '#server';
import { backupParameters } from '../contract.ts';
import { backupMail } from './alerts.ts';
import { BackupRuns } from './backup-runs.ts';
import { BackupSchedule } from './backup-schedule.ts';
import { backupGauges } from './gauges.ts';

const checkSeconds = 10;

/** Backups by schedule: makes, checks and prunes them on servers with `BACKUP_DIR`, and reports those that fail. */
export default defineServerPlugin({
  id: 'backup',
  title: ['自动备份', 'Scheduled backups'],
  parameters: backupParameters,
  mailKinds: [backupMail],

  setup(context) {
    const backups = context.get(Backups);
    const runs = new BackupRuns(context);
    const schedule = new BackupSchedule(context, runs, backups);
    return {
      gauges: backupGauges(context, runs, backups),
      tasks: [{ everySeconds: checkSeconds, run: (signal) => schedule.runDue(signal) }],
    };
  },
});

import type { Backups, ServerContext } from '#server';
import { backupsKept, isBackupRestored } from '../contract.ts';
import { alertAdministrators, failureAlert, missingFilesAlert } from './alerts.ts';
import { type BackupRuns, type ClaimedRun, interruptedRun, type RunResult } from './backup-runs.ts';

/** Makes the backups that are due, on one server at a time. */
export class BackupSchedule {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters' | 'inbox' | 'systemLog'>,
    private readonly runs: BackupRuns,
    private readonly backups: Backups,
    private readonly renewSeconds = 20,
  ) {}

  /** Makes a backup if one is due; the signal stops it. */
  async runDue(signal: AbortSignal): Promise<void> {
    if (!this.backups.isConfigured) return;
    const isVerified = await this.context.parameters.flag(isBackupRestored);
    const run = await this.claim(isVerified);
    if (!run) return;
    const result = await this.make(run, isVerified, signal);
    await this.context.db.asPlatform('backups contain the whole database', async () => {
      await this.runs.finish(run, result);
      await this.alert(run, result);
    });
    this.log(result);
  }

  private async claim(isVerified: boolean): Promise<ClaimedRun | undefined> {
    const { db } = this.context;
    const plannedAt = await this.runs.plannedAt();
    return db.asPlatform('backups contain the whole database', async () => {
      await db.lock('backup-schedule');
      for (const run of await this.runs.expire()) await this.alert({ ...run, plannedAt }, interruptedRun);
      return this.runs.claim(plannedAt, isVerified);
    });
  }

  private async make(run: ClaimedRun, isVerified: boolean, signal: AbortSignal): Promise<RunResult> {
    const leaseLost = new AbortController();
    const abortLost = () => leaseLost.abort(new Error('The server was without its database for too long during the backup.'));
    // A renewal that fails is repeated; the lease ends by itself.
    const renewing = setInterval(
      () =>
        void this.runs.renew(run).then(
          (isOwn) => isOwn || abortLost(),
          () => undefined,
        ),
      this.renewSeconds * 1000,
    ).unref();
    try {
      const keep = await this.context.parameters.integer(backupsKept);
      return { backup: await this.backups.make({ keep, isVerified, signal: AbortSignal.any([signal, leaseLost.signal]) }) };
    } catch (error) {
      return signal.aborted ? interruptedRun : { problem: (error as Error).message, isInterrupted: false };
    } finally {
      clearInterval(renewing);
    }
  }

  private async alert(run: ClaimedRun, result: RunResult): Promise<void> {
    const missing = 'backup' in result ? result.backup.files.missing : 0;
    if (run.isRequested || ('backup' in result && missing === 0)) return;
    if (!(await this.runs.markAlerted(run))) return;
    await alertAdministrators(this.context, 'problem' in result ? failureAlert(result.problem) : missingFilesAlert(missing));
  }

  private log(result: RunResult): void {
    const { systemLog } = this.context;
    if ('problem' in result) {
      systemLog.log({ level: result.isInterrupted ? 'warn' : 'error', event: 'backup:failed', data: { problem: result.problem } });
      return;
    }
    const { path, bytes, files, pruneProblem } = result.backup;
    systemLog.log({ level: files.missing > 0 ? 'warn' : 'info', event: 'backup:made', data: { path, bytes, files } });
    if (pruneProblem !== undefined) systemLog.log({ level: 'warn', event: 'backup:old-not-deleted', data: { problem: pruneProblem } });
  }
}

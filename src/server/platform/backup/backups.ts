import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BackupReport, MakeBackup } from './backup-report.ts';
import { readableProblem } from './file-problem.ts';

/** Options of a backup that the server makes. */
export interface BackupOptions {
  /** Number of backups that remain in the folder. */
  readonly keep: number;
  /** True to restore it into a temporary database before it counts. */
  readonly isVerified: boolean;
  readonly signal: AbortSignal;
}

/** A backup that the server has made. */
export interface MadeBackup extends BackupReport {
  /** Reason why older backups could not be deleted. */
  readonly pruneProblem: string | undefined;
}

/** Names of backups that the server makes; other files of the folder are left alone. */
const scheduledName = /^marquee-scheduled-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/;
const unfinishedName = /^marquee-scheduled-.*\.part$/;

/** Backups that the server itself makes, in the folder of `BACKUP_DIR`. The caller makes one at a time. */
export class Backups {
  private readonly folder: string | undefined;

  constructor(
    folder: string | undefined,
    private readonly makeBackup: MakeBackup,
  ) {
    this.folder = folder === undefined ? undefined : resolve(folder);
  }

  /** True if this server has a folder for backups. */
  get isConfigured(): boolean {
    return this.folder !== undefined;
  }

  /** Makes a backup, reads or restores it, and then deletes the oldest ones. Throws a readable sentence if there is no backup; older ones then remain. */
  async make({ keep, isVerified, signal }: BackupOptions): Promise<MadeBackup> {
    const { folder } = this;
    if (folder === undefined) throw new Error('BACKUP_DIR is not set.');
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
    const path = join(folder, `marquee-scheduled-${time}.tar.gz`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Files of a server that was killed would fill the disk.
      for (const name of await readdir(folder)) if (unfinishedName.test(name)) await rm(join(folder, name), { force: true });
    } catch (error) {
      throw readableProblem(error, folder);
    }
    const report = await this.makeBackup({ path, isVerified, signal });
    return { ...report, pruneProblem: await this.prune(folder, keep) };
  }

  private async prune(folder: string, keep: number): Promise<string | undefined> {
    try {
      const names = (await readdir(folder)).filter((name) => scheduledName.test(name)).sort();
      for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { kernelVersion } from '#shared/kernel-version';
import type { LocalizedText } from '#shared/text';
import type { Configuration } from '../../base/configuration/configuration.ts';
import type { Database } from '../../data/database/database.ts';
import type { ConnectionCounts } from '../../data/database/session.ts';

/** Free and total bytes of the disk of a folder. */
export interface DiskSpace {
  /** Setting that names the folder. */
  readonly setting: 'DATA_DIR' | 'BACKUP_DIR';
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Reason why the space is unknown. */
  readonly failure?: string;
}

/** Current state of one server, stored with each renewal of its registration; times are milliseconds since 1970. */
export interface ServerReport {
  readonly version: string;
  readonly node: string;
  readonly keySource: 'environment' | 'generated';
  /** Ids of running plugins. */
  readonly plugins: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly reason: LocalizedText }[];
  /** 99th percentile of the delay of the event loop since the last report. */
  readonly loopDelayMs: number;
  /** Set while the event loop is blocked. */
  readonly loopBlockedSince?: number | undefined;
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  /** Absent with the embedded database. */
  readonly connections?: (ConnectionCounts & { readonly max: number }) | undefined;
  /** Set while callers wait for a connection. */
  readonly connectionsWaitedForSince?: number | undefined;
  readonly disks: readonly DiskSpace[];
}

/** Delay from which the event loop counts as blocked. */
export const blockedLoopMs = 250;
const loopResolutionMs = 20;

type ReadSpace = (path: string) => Promise<Pick<DiskSpace, 'freeBytes' | 'totalBytes'>>;

/** Dependencies of `ServerState`. */
interface ServerStateDeps {
  readonly db: Pick<Database, 'connections'>;
  readonly configuration: Pick<Configuration, 'secretKey' | 'dataDirectory' | 'backupDirectory' | 'databaseConnections'>;
  readonly plugins: () => { readonly running: readonly { readonly id: string }[]; readonly skipped: ServerReport['skipped'] };
  readonly readSpace?: ReadSpace;
}

/** Observes this process. A report never waits for the disks, because one that does not respond, such as a network share, must not delay the registration of the server. */
export class ServerState {
  private readonly loop: IntervalHistogram = monitorEventLoopDelay({ resolution: loopResolutionMs });
  private disks: readonly DiskSpace[] = [];
  private last: ServerReport | undefined;
  private reading: Promise<void> | undefined;
  private loopBlockedSince: number | undefined;
  private connectionsWaitedForSince: number | undefined;

  constructor(private readonly deps: ServerStateDeps) {
    this.loop.enable();
    void this.readDisks();
  }

  /** The last report, with the latest readings of the disks. */
  get latest(): ServerReport {
    return { ...(this.last ?? this.report()), disks: this.disks };
  }

  /** Reports the state of the process, and what has happened since the last report. */
  report(): ServerReport {
    const { db, configuration } = this.deps;
    const { running, skipped } = this.deps.plugins();
    void this.readDisks();
    const loopDelayMs = this.loop.count === 0 ? 0 : Math.max(0, Math.round(this.loop.percentile(99) / 1e6 - loopResolutionMs));
    this.loop.reset();
    const connections = db.connections();
    this.loopBlockedSince = loopDelayMs > blockedLoopMs ? (this.loopBlockedSince ?? Date.now()) : undefined;
    this.connectionsWaitedForSince = connections && connections.primary.waiting > 0 ? (this.connectionsWaitedForSince ?? Date.now()) : undefined;
    this.last = {
      version: kernelVersion,
      node: process.versions.node,
      keySource: configuration.secretKey === undefined ? 'generated' : 'environment',
      plugins: running.map(({ id }) => id),
      skipped: skipped.map(({ id, reason }) => ({ id, reason })),
      loopDelayMs,
      loopBlockedSince: this.loopBlockedSince,
      memoryBytes: process.memoryUsage.rss(),
      memoryLimitBytes: memoryLimit(),
      connections: connections && { ...connections.primary, max: configuration.databaseConnections },
      connectionsWaitedForSince: this.connectionsWaitedForSince,
      disks: this.disks,
    };
    return this.last;
  }

  /** Reads the free space of both folders, unless an earlier reading has not ended. */
  readDisks(): Promise<void> {
    const { configuration, readSpace = spaceOf } = this.deps;
    const folders = [
      { setting: 'DATA_DIR', path: configuration.dataDirectory },
      ...(configuration.backupDirectory === undefined ? [] : [{ setting: 'BACKUP_DIR', path: configuration.backupDirectory } as const]),
    ] as const;
    this.reading ??= Promise.all(
      folders.map(async (folder): Promise<DiskSpace> => {
        const space = await readSpace(folder.path).catch((error: Error) => ({ freeBytes: 0, totalBytes: 0, failure: error.message }));
        return { ...folder, ...space };
      }),
    )
      .then((disks) => {
        this.disks = disks;
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  stop(): void {
    this.loop.disable();
  }
}

/** Reads the disk of a folder, or of the folder in which it will be created. */
async function spaceOf(path: string): ReturnType<ReadSpace> {
  try {
    const { bsize, bavail, blocks } = await statfs(path);
    return { freeBytes: bsize * bavail, totalBytes: bsize * blocks };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return spaceOf(dirname(path));
  }
}

/** Returns the memory that this process may use: that of its container, otherwise that of the machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

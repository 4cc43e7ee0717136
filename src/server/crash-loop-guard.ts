import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from './http/app.ts';

/** Number of consecutive failed or crashed starts after which a plugin is left out until an administrator requests a retry. */
const maxFailures = 3;

interface StoredStartFailures {
  readonly build: string;
  /** Plugin that was starting when this was written; still set if the process ended during that start. */
  readonly starting?: string | undefined;
  readonly failures: Readonly<Record<string, number>>;
  /** Times at which each plugin ended the process with an uncaught error, in milliseconds. */
  readonly crashes?: Readonly<Record<string, readonly number[]>>;
}

/** Age after which a crash no longer counts. */
const crashMemoryMs = 3_600_000;

/**
 * Counts consecutive failed starts of each plugin. The count is stored in a file before each plugin starts, so that a plugin that ends the process is identified;
 * another build resets it.
 */
export class CrashLoopGuard {
  private readonly failures = new Map<string, number>();
  private readonly crashes = new Map<string, readonly number[]>();
  private starting: string | undefined;

  constructor(
    private readonly file: string,
    private readonly build: string,
    private readonly log: Log,
  ) {
    const kept = this.read();
    if (kept?.build !== build) return;
    for (const [id, count] of Object.entries(kept.failures)) this.failures.set(id, count);
    for (const [id, times] of Object.entries(kept.crashes ?? {})) this.crashes.set(id, times);
    if (kept.starting !== undefined) this.failed(kept.starting);
  }

  isLeftOut(id: string): boolean {
    return (this.failures.get(id) ?? 0) >= maxFailures || this.recentCrashes(id).length >= maxFailures;
  }

  /** Records that a plugin is about to start. */
  begin(id: string): void {
    this.starting = id;
    this.write();
  }

  failed(id: string): void {
    this.failures.set(id, (this.failures.get(id) ?? 0) + 1);
    this.starting = undefined;
  }

  succeeded(id: string): void {
    this.failures.delete(id);
    this.starting = undefined;
  }

  /** Records that a plugin ended the running process; three times within an hour leave it out. */
  crashed(id: string): void {
    this.crashes.set(id, [...this.recentCrashes(id), Date.now()]);
    this.write();
  }

  /** Records that every plugin has been started or left out. */
  settle(): void {
    this.starting = undefined;
    this.write();
  }

  /** Clears the failures of a plugin, so that the next start includes it. */
  forget(id: string): void {
    const hadCrashes = this.crashes.delete(id);
    if (this.failures.delete(id) || hadCrashes) this.write();
  }

  private recentCrashes(id: string): readonly number[] {
    return (this.crashes.get(id) ?? []).filter((time) => time > Date.now() - crashMemoryMs);
  }

  private read(): StoredStartFailures | undefined {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as StoredStartFailures;
    } catch {
      return undefined;
    }
  }

  private write(): void {
    const crashes = this.crashes.size > 0 ? { crashes: Object.fromEntries(this.crashes) } : {};
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(
        this.file,
        JSON.stringify({
          build: this.build,
          starting: this.starting,
          failures: Object.fromEntries(this.failures),
          ...crashes,
        } satisfies StoredStartFailures),
      );
    } catch (error) {
      this.log.warn({ err: error, file: this.file }, 'could not store the start counts of plugins; a crash-looping plugin will not be skipped');
    }
  }
}

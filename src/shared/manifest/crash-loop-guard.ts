/** Number of consecutive failures, or of crashes within `crashMemoryMs`, after which a plugin is left out until a retry is requested. */
const maxFailures = 3;

/** Age after which a crash no longer counts. */
const crashMemoryMs = 3_600_000;

/** Failures of the plugins of one build. */
export interface FailureRecord {
  readonly build: string;
  /** Plugin that was starting when this was written; still set if the process ended during that start. */
  readonly starting?: string | undefined;
  readonly failures: Readonly<Record<string, number>>;
  /** Times at which each plugin ended the process with an uncaught error, in milliseconds. */
  readonly crashes?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** Store of the failures between two starts. */
export interface FailureStorage {
  read(): FailureRecord | undefined;
  write(record: FailureRecord): void;
}

/** Counts consecutive failures of plugins, at most one per start and plugin. Another build starts at zero. */
export class CrashLoopGuard {
  private readonly counted = new Set<string>();

  constructor(
    private readonly storage: FailureStorage,
    private readonly build: string,
  ) {
    const { starting, failures } = this.read();
    if (starting !== undefined) this.write({ starting: undefined, failures: { ...failures, [starting]: (failures[starting] ?? 0) + 1 } });
  }

  isLeftOut(id: string): boolean {
    return (this.read().failures[id] ?? 0) >= maxFailures || this.recentCrashes(id).length >= maxFailures;
  }

  /** Records that a plugin is about to start, so that one that ends the process is identified. */
  begin(id: string): void {
    this.write({ starting: id });
  }

  failed(id: string): void {
    const { failures } = this.read();
    const count = (failures[id] ?? 0) + (this.counted.has(id) ? 0 : 1);
    this.counted.add(id);
    this.write({ starting: undefined, failures: { ...failures, [id]: count } });
  }

  succeeded(id: string): void {
    this.counted.delete(id);
    this.write({ starting: undefined, failures: without(this.read().failures, id) });
  }

  /** Records that a plugin ended the running process. */
  crashed(id: string): void {
    this.write({ crashes: { ...this.read().crashes, [id]: [...this.recentCrashes(id), Date.now()] } });
  }

  /** Records that every plugin has been started or left out. */
  settle(): void {
    this.write({ starting: undefined });
  }

  /** Clears the failures of a plugin, so that the next start includes it. */
  clear(id: string): void {
    const { failures, crashes } = this.read();
    this.counted.delete(id);
    if (failures[id] || crashes?.[id]) this.write({ failures: without(failures, id), crashes: crashes && without(crashes, id) });
  }

  private recentCrashes(id: string): readonly number[] {
    return (this.read().crashes?.[id] ?? []).filter((time) => time > Date.now() - crashMemoryMs);
  }

  /** Reads the storage each time, because other tabs of a browser count as well. */
  private read(): FailureRecord {
    const stored = this.storage.read();
    return stored?.build === this.build ? stored : { build: this.build, failures: {} };
  }

  private write(change: Partial<FailureRecord>): void {
    this.storage.write({ ...this.read(), ...change });
  }
}

function without<Value>(counts: Readonly<Record<string, Value>>, id: string): Readonly<Record<string, Value>> {
  const { [id]: _, ...rest } = counts;
  return rest;
}

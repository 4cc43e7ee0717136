import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from './http/app.ts';

/** After so many starts of this server in a row that a plugin failed or did not survive, it is left out until somebody says retry. */
const patience = 3;

interface Kept {
  readonly build: string;
  /** What was being started when this was written; still there where the process ended meanwhile. */
  readonly starting?: string | undefined;
  readonly failures: Readonly<Record<string, number>>;
}

/** How often in a row plugins have failed when this server started. Kept in a file, written before each plugin is started, so that one that ends the process is known by name; another build begins anew. */
export class StartCounter {
  private readonly failures = new Map<string, number>();
  private starting: string | undefined;

  constructor(
    private readonly file: string,
    private readonly build: string,
    private readonly log: Log,
  ) {
    const kept = this.read();
    if (kept?.build !== build) return;
    for (const [id, count] of Object.entries(kept.failures)) this.failures.set(id, count);
    if (kept.starting !== undefined) this.failed(kept.starting);
  }

  isLeftOut(id: string): boolean {
    return (this.failures.get(id) ?? 0) >= patience;
  }

  /** It is about to be started. */
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

  /** Every plugin has been started, or left out. */
  settle(): void {
    this.starting = undefined;
    this.write();
  }

  /** It gets another chance with the next start. */
  forget(id: string): void {
    if (this.failures.delete(id)) this.write();
  }

  private read(): Kept | undefined {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as Kept;
    } catch {
      return undefined;
    }
  }

  private write(): void {
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(this.file, JSON.stringify({ build: this.build, starting: this.starting, failures: Object.fromEntries(this.failures) } satisfies Kept));
    } catch (error) {
      this.log.warn({ err: error, file: this.file }, 'how plugins start cannot be kept: one that ends the server is not left out');
    }
  }
}

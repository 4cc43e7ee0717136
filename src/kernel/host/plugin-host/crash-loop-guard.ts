import type { JsonStorage } from '../../platform/browser/storage.ts';
import type { Cause } from '../plugin/plugin-state.ts';

/** Number of consecutive failed starts of the console after which a plugin is skipped until an operator retries it. */
const maxFailures = 3;

interface Failures {
  /** Number of consecutive failed starts. */
  readonly row: number;
  /** True when it failed in this start as well. */
  readonly isFresh: boolean;
}

interface StoredFailures {
  readonly build: string;
  readonly failures: Readonly<Record<string, Failures>>;
}

/** Counts consecutive failures of plugins in this browser, at their start and at rendering their pages. Another build starts at zero. */
export class CrashLoopGuard {
  constructor(
    private readonly storage: JsonStorage,
    private readonly build: string,
    private readonly name = 'plugin-failures',
  ) {
    // A successful start ends a row; for pages it proves nothing, because none may have been opened.
    this.keep((failures) =>
      failures.flatMap(([key, { row, isFresh }]) => (isFresh || isPage(key) || row >= maxFailures ? [[key, { row, isFresh: false }]] : [])),
    );
  }

  /** Returns the reason not to start a plugin; `undefined` to start it. */
  causeToLeaveOut(id: string): Cause | undefined {
    return this.isLeftOut(id) ? failsEachTime : undefined;
  }

  isLeftOut(id: string): boolean {
    return [id, pageOf(id)].some((key) => (this.read()[key]?.row ?? 0) >= maxFailures);
  }

  startFailed(id: string): void {
    this.count(id);
  }

  pageFailed(id: string): void {
    this.count(pageOf(id));
  }

  /** Resets the count of page failures once a page has rendered. */
  pageDrawn(id: string): void {
    if (this.read()[pageOf(id)]) this.keep((failures) => failures.filter(([key]) => key !== pageOf(id)));
  }

  /** Resets the counts of a skipped plugin. */
  forget(id: string): void {
    if (this.isLeftOut(id)) this.keep((failures) => failures.filter(([key]) => key !== id && key !== pageOf(id)));
  }

  private count(key: string): void {
    const { row = 0, isFresh = false } = this.read()[key] ?? {};
    if (!isFresh) this.keep((failures) => [...failures, [key, { row: row + 1, isFresh: true }]]);
  }

  /** Reads the storage each time, because other tabs of this browser count as well. */
  private read(): StoredFailures['failures'] {
    const kept = this.storage.read<StoredFailures>(this.name);
    return kept?.build === this.build ? kept.failures : {};
  }

  private keep(change: (failures: [string, Failures][]) => [string, Failures][]): void {
    const failures = change(Object.entries(this.read()));
    if (failures.length > 0) this.storage.write(this.name, { build: this.build, failures: Object.fromEntries(failures) } satisfies StoredFailures);
    else this.storage.remove(this.name);
  }
}

const failsEachTime: Cause = {
  kind: 'fails-each-time',
  phase: 'wire',
  words: ['在本浏览器中连续三次出错，已暂不启动；可重试', 'It failed three times in a row in this browser and is not started. Retry to start it.'],
};

const pageOf = (id: string) => `${id}/page`;
const isPage = (key: string) => key.endsWith('/page');

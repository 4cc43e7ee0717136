import type { JsonStorage } from '../storage.ts';
import type { Cause } from './plugin-state.ts';

/** After so many starts of the console in a row in which it failed, a plugin is left out until somebody says retry. */
const patience = 3;

interface Failures {
  /** Starts of the console in a row in which it failed. */
  readonly row: number;
  /** In this start as well. */
  readonly isFresh: boolean;
}

interface Kept {
  readonly build: string;
  readonly failures: Readonly<Record<string, Failures>>;
}

/** How often in a row plugins have failed in this browser: when they were to start, and when their pages were to be drawn. Another build begins anew. */
export class FailureCounter {
  constructor(
    private readonly storage: JsonStorage,
    private readonly build: string,
    private readonly name = 'plugin-failures',
  ) {
    // A start that went well ends a row; that no page was opened says nothing of pages.
    this.keep((failures) => failures.flatMap(([key, { row, isFresh }]) => (isFresh || isPage(key) || row >= patience ? [[key, { row, isFresh: false }]] : [])));
  }

  /** Why a plugin is not to be started; undefined where it is. */
  causeToLeaveOut(id: string): Cause | undefined {
    return this.isLeftOut(id) ? failsEachTime : undefined;
  }

  isLeftOut(id: string): boolean {
    return [id, pageOf(id)].some((key) => (this.read()[key]?.row ?? 0) >= patience);
  }

  startFailed(id: string): void {
    this.count(id);
  }

  pageFailed(id: string): void {
    this.count(pageOf(id));
  }

  /** A page of it is on screen. */
  pageDrawn(id: string): void {
    if (this.read()[pageOf(id)]) this.keep((failures) => failures.filter(([key]) => key !== pageOf(id)));
  }

  /** It gets another chance. */
  forget(id: string): void {
    if (this.isLeftOut(id)) this.keep((failures) => failures.filter(([key]) => key !== id && key !== pageOf(id)));
  }

  private count(key: string): void {
    const { row = 0, isFresh = false } = this.read()[key] ?? {};
    if (!isFresh) this.keep((failures) => [...failures, [key, { row: row + 1, isFresh: true }]]);
  }

  /** Asked each time: other tabs of this browser count as well. */
  private read(): Kept['failures'] {
    const kept = this.storage.read<Kept>(this.name);
    return kept?.build === this.build ? kept.failures : {};
  }

  private keep(change: (failures: [string, Failures][]) => [string, Failures][]): void {
    const failures = change(Object.entries(this.read()));
    if (failures.length > 0) this.storage.write(this.name, { build: this.build, failures: Object.fromEntries(failures) } satisfies Kept);
    else this.storage.remove(this.name);
  }
}

const failsEachTime: Cause = {
  kind: 'fails-each-time',
  phase: 'wire',
  words: ['在本浏览器中连续三次出错，已暂不启动；可重试', 'It failed in this browser three times in a row and is left out. Try it again.'],
};

const pageOf = (id: string) => `${id}/page`;
const isPage = (key: string) => key.endsWith('/page');

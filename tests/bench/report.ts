import { appendFileSync } from 'node:fs';

/** One row of `docs/benchmarks.md`: the measured subject, the figure with its unit, its bound and whether it was met, and the size of the data. */
export interface Measured {
  readonly section: string;
  readonly what: string;
  readonly figure: string;
  readonly bound?: string;
  /** Set together with `bound`. */
  readonly isMet?: boolean;
  readonly at?: string;
}

/** Adds a row to the report of this run and prints it. */
export function report(row: Measured): void {
  console.log(
    `${row.section} · ${row.what}: ${row.figure}${row.bound ? ` (bound ${row.bound}, ${row.isMet ? 'met' : 'MISSED'})` : ''}${row.at ? ` at ${row.at}` : ''}`,
  );
  if (process.env.BENCH_REPORT) appendFileSync(process.env.BENCH_REPORT, `${JSON.stringify(row)}\n`);
}

/** Returns the median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the figure that a share of the others does not exceed. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Returns the milliseconds of each of several runs of some works. Every round runs each work once, starts with another one and reverses the direction of the
 * round before. A drift of the machine and the after-effects of one work therefore affect all works alike.
 */
export async function inTurn<Works extends readonly (() => unknown)[]>(rounds: number, ...works: Works): Promise<{ [Name in keyof Works]: number[] }> {
  const times = works.map(() => [] as number[]);
  // Enough runs for the engine to compile the measured code, also when a run is short.
  const unmeasured = Math.max(3, Math.floor(rounds / 2));
  for (let round = -unmeasured; round < rounds; round += 1) {
    for (const [turn] of works.entries()) {
      const place = (round % 2 === 0 ? turn + round + unmeasured : round + unmeasured + works.length - turn) % works.length;
      const milliseconds = await timed(works[place] as () => unknown);
      if (round >= 0) times[place]?.push(milliseconds);
    }
  }
  return times as { [Name in keyof Works]: number[] };
}

/** Returns the milliseconds that one work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Formats a figure with its unit: bytes in thousands, milliseconds with three digits, ratios with two decimals. */
export const bytes = (count: number): string => `${(count / 1000).toFixed(1)} kB`;
export const milliseconds = (figure: number): string => `${figure.toPrecision(figure < 1000 ? 3 : 4)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

import { appendFileSync } from 'node:fs';

/** One row of `docs/benchmarks.md`: what was measured, the figure with its unit, the bound it should keep and whether it did, the size it was measured at. */
export interface Measured {
  readonly section: string;
  readonly what: string;
  readonly figure: string;
  readonly bound?: string;
  /** Goes with `bound`. */
  readonly kept?: boolean;
  readonly at?: string;
}

/** Adds a row to the report of this run and shows it. */
export function report(row: Measured): void {
  console.log(
    `${row.section} · ${row.what}: ${row.figure}${row.bound ? ` (bound ${row.bound}, ${row.kept ? 'kept' : 'MISSED'})` : ''}${row.at ? ` at ${row.at}` : ''}`,
  );
  if (process.env.BENCH_REPORT) appendFileSync(process.env.BENCH_REPORT, `${JSON.stringify(row)}\n`);
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The figure that so many of a hundred do not exceed. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Milliseconds of each of several runs of some pieces of work. Every round runs each once, begins with another one and goes the other way about
 * than the round before, so that a drift of the machine, and what one leaves behind for the next, meet all alike.
 */
export async function inTurn<Works extends readonly (() => unknown)[]>(rounds: number, ...works: Works): Promise<{ [Name in keyof Works]: number[] }> {
  const times = works.map(() => [] as number[]);
  // Enough for the engine to have compiled what is measured, where a run is short.
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

/** Milliseconds one piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A figure with the unit an operator reads: bytes in thousands, milliseconds to three digits, ratios to two places. */
export const bytes = (count: number): string => `${(count / 1000).toFixed(1)} kB`;
export const milliseconds = (figure: number): string => `${figure.toPrecision(figure < 1000 ? 3 : 4)} ms`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

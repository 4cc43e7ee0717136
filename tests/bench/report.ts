import { appendFileSync } from 'node:fs';

/** One row of `docs/benchmarks.md`: what was measured, the figure with its unit, the bound it must keep, the size it was measured at. */
export interface Measured {
  readonly section: string;
  readonly what: string;
  readonly figure: string;
  readonly bound?: string;
  readonly at?: string;
}

/** Adds a row to the report of this run and shows it. */
export function report(row: Measured): void {
  console.log(`${row.section} · ${row.what}: ${row.figure}${row.bound ? ` (bound ${row.bound})` : ''}${row.at ? ` at ${row.at}` : ''}`);
  if (process.env.BENCH_REPORT) appendFileSync(process.env.BENCH_REPORT, `${JSON.stringify(row)}\n`);
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds of each of several runs of two pieces of work, taken in turn so that a drift of the machine meets both alike. */
export async function inTurn(rounds: number, first: () => unknown, second: () => unknown): Promise<{ first: number[]; second: number[] }> {
  const times = { first: [] as number[], second: [] as number[] };
  for (let round = -3; round < rounds; round += 1) {
    const [a, b] = [await timed(first), await timed(second)];
    if (round >= 0) {
      times.first.push(a);
      times.second.push(b);
    }
  }
  return times;
}

/** Milliseconds one piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

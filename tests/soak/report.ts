import { appendFileSync } from 'node:fs';

interface Figure {
  readonly what: string;
  readonly before?: number;
  readonly after: string | number;
  /** Upper bound of the figure. */
  readonly bound?: number;
}

/** Adds a figure to a section of `docs/soak.md`. */
export function report(section: string, { bound, ...figure }: Figure): void {
  const isMet = bound === undefined || Number(figure.after) <= bound;
  const row = { section, ...figure, ...(bound === undefined ? {} : { bound: Math.round(bound) }), isMet };
  console.log(row);
  if (process.env.SOAK_REPORT) appendFileSync(process.env.SOAK_REPORT, `${JSON.stringify(row)}\n`);
}

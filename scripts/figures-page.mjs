import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The rows a run has reported, one JSON object a line; none when the run did not get as far. */
export const reportedRows = (report) =>
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/**
 * Renews the sections of a page of figures that a run has measured and leaves the others as they are. Each section names the Node.js, the machine and
 * the day it was measured on. `tableOf` makes a Markdown table of a section's rows.
 */
export function writeFigures(path, head, rows, tableOf) {
  if (rows.length === 0) return;
  const former = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const sections = new Map([...former.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, title, body]) => [title, body.trim()]));
  for (const title of new Set(rows.map(({ section }) => section))) {
    sections.set(title, `${machine()}\n\n${tableOf(rows.filter(({ section }) => section === title)).join('\n')}`);
  }
  writeFileSync(path, `${[head, ...[...sections].map(([title, body]) => `## ${title}\n\n${body}`)].join('\n\n')}\n`);
}

const machine = () =>
  `Measured on Node.js ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.`;

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a test runner that reports its rows to the file of the environment variable `variable`; sets the exit code and returns the rows. */
export function measuredRows(args, environment, variable) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-figures-'));
  const report = join(folder, 'rows.jsonl');
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment, [variable]: report } });
  const rows = reportedRows(report);
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = status ?? 1;
  return rows;
}

/** Parses the rows that a run has reported, one JSON object per line; returns none if the run ended before. */
const reportedRows = (report) =>
  existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/**
 * Replaces the sections of a results page that a run has measured and keeps the others. Each section names the Node.js version, the machine and the day of its
 * measurement. `tableOf` formats a section's rows as a Markdown table.
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

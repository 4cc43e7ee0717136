/** `npm run bench`: measures sizes and speeds and writes `docs/benchmarks.md`. Name files to run some alone: `npm run bench -- kernel`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, packageCommand, root, run } from './prepare.mjs';
import { findBrowser, findPostgres } from './test-services.mjs';

const howToRead = `Ratios, counts and bytes carry over to other machines, times do not: they are medians on the machine above, which did other work as well. What is
compared was run in turn, each round in another order. A bound is what the design promises; **missed** means that the figure does not keep it, and it stays here
until it does. kB are 1,000 bytes.

The *bare page* of a list is \`select … order by … limit 10\` written by hand and asked through the same driver, without any total. Our page comes with its total,
or with a lower bound where counting follows it. Each list keeps its bound in three states, and a run that misses one fails: *warm*, asked many times before; *right after a write* of somebody else, which
is in turn an edit, a new row, a renamed row and a removal; *for the first time*, over a new connection and with nothing remembered, after one statement that touches no table. Figures are medians.`;

process.chdir(root);
ensureInstalled();
ensureBuilt();
run(process.execPath, ['scripts/build.mjs', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery']);
const postgres = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
const report = join(folder, 'rows.jsonl');
const target = join(root, 'docs/benchmarks.md');

const { status } = spawnSync(process.execPath, [packageCommand('@rstest/core'), 'run', '--project', 'bench', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_ENV: 'test',
    BENCH: '1',
    BENCH_REPORT: report,
    CHROMIUM_PATH: findBrowser(),
    ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}),
  },
});
postgres?.stop();
if (!postgres) console.log('\nSkipped: everything on PostgreSQL, none was found.');

const measured = existsSync(report)
  ? readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
if (measured.length > 0) writeFileSync(target, page(measured, existsSync(target) ? readFileSync(target, 'utf8') : ''));
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/** The page with each measured section renewed and the others kept. */
function page(rows, former) {
  const sections = new Map([...former.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(([, title, body]) => [title, body.trim()]));
  for (const title of new Set(rows.map((row) => row.section))) {
    const own = rows.filter((row) => row.section === title);
    const table = own.map(
      ({ what, figure, bound, kept, at }) => `| ${what} | ${figure} | ${bound ? `${bound}${kept ? '' : ' **missed**'}` : ''} | ${at ?? ''} |`,
    );
    sections.set(title, ['| what | figure | bound | measured at |', '| --- | --- | --- | --- |', ...table].join('\n'));
  }
  const machine = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.`;
  const head = ['# Benchmarks', `Made with \`npm run bench\`. ${machine}`, howToRead].join('\n\n');
  return `${head}\n\n${[...sections].map(([title, body]) => `## ${title}\n\n${body}`).join('\n\n')}\n`;
}

/** Implements `npm run bench`: measures sizes and speeds and writes `docs/benchmarks.md`. Arguments select single files: `npm run bench -- kernel`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportedRows, writeFigures } from './figures-page.mjs';
import { ensureBuilt, ensureInstalled, packageCommand, root, run } from './prepare.mjs';
import { findBrowser, findPostgres } from './test-services.mjs';

const howToRead = `Ratios, counts and bytes carry over to other machines, times do not: they are medians on the machine named at each section, which did other work as well. What is
compared was run in turn, each round in another order. A bound is what the design promises; **missed** means that the figure does not keep it, and it stays here
until it does. kB are 1,000 bytes.

The *bare page* of a list is \`select … order by … limit 10\` written by hand and asked through the same driver, without any total. Our page comes with its total,
or with a lower bound where counting follows it. Each list keeps its bound in three states, and a run that misses one fails: *warm*, asked many times before; *right after a write* of somebody else, which
is in turn an edit, a new row, a renamed row and a removal; *for the first time*, over a new connection and with nothing remembered, after one statement that touches no table. Figures are medians.`;

process.chdir(root);
await ensureInstalled();
ensureBuilt();
run(process.execPath, ['scripts/build.mjs', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery']);
const postgres = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
const report = join(folder, 'rows.jsonl');

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

const head = `# Benchmarks\n\nMade with \`npm run bench\`.\n\n${howToRead}`;
writeFigures(join(root, 'docs/benchmarks.md'), head, reportedRows(report), (rows) => [
  '| what | figure | bound | measured at |',
  '| --- | --- | --- | --- |',
  ...rows.map(({ what, figure, bound, kept, at }) => `| ${what} | ${figure} | ${bound ? `${bound}${kept ? '' : ' **missed**'}` : ''} | ${at ?? ''} |`),
]);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/** Implements `npm run bench`: measures sizes and speeds and writes `docs/benchmarks.md`. Arguments select single files: `npm run bench -- kernel`. */
import { join } from 'node:path';
import { measuredRows, writeFigures } from './figures-page.mjs';
import { ensureBuilt, ensureInstalled, packageCommand, root, run } from './prepare.mjs';
import { findBrowser, findPostgres } from './test-services.mjs';

const howToRead = `Ratios, counts and bytes apply to other machines as well. Times are medians on the machine named in each section, which also did other work. Compared
operations were run alternately, each round in another order. A bound is a promise of the design; **missed** means that the figure exceeds it, and it stays here
until it is met. kB are 1,000 bytes.

The *bare page* of a list is \`select … order by … limit 10\` written by hand and sent through the same driver, without a total. Our page includes its total,
or a lower bound if the total is counted later. Each list must meet its bound in three states, and a run that misses one fails: *warm*, after many requests; *right after a write* of another client, which
is alternately an edit, a new row, a renamed row and a removal; *for the first time*, over a new connection with empty caches, after one statement that touches no table. Figures are medians.`;

process.chdir(root);
await ensureInstalled();
ensureBuilt();
run(process.execPath, ['scripts/build.mjs', '--manifest', 'tests/gallery.manifest.json', '--output', 'dist/gallery']);
const postgres = await findPostgres();

const environment = { NODE_ENV: 'test', BENCH: '1', CHROMIUM_PATH: findBrowser(), ...(postgres ? { TEST_DATABASE_URL: postgres.url } : {}) };
const measured = measuredRows([packageCommand('@rstest/core'), 'run', '--project', 'bench', ...process.argv.slice(2)], environment, 'BENCH_REPORT');
postgres?.stop();
if (!postgres) console.log('\nSkipped the benchmarks on PostgreSQL, because none was found.');

const head = `# Benchmarks\n\nMade with \`npm run bench\`.\n\n${howToRead}`;
writeFigures(join(root, 'docs/benchmarks.md'), head, measured, (rows) => [
  '| what | figure | bound | measured at |',
  '| --- | --- | --- | --- |',
  ...rows.map(({ what, figure, bound, kept, at }) => `| ${what} | ${figure} | ${bound ? `${bound}${kept ? '' : ' **missed**'}` : ''} | ${at ?? ''} |`),
]);

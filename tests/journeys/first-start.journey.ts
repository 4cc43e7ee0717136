import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { npmCommand } from '../../scripts/npm.mjs';
import { endedStart, interruptAll, StartCommand } from './start-command.ts';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'marquee-first-'));
const builtFrom = ['scripts', 'src', 'public', 'package.json', 'package-lock.json', 'plugins.manifest.json', 'rsbuild.config.ts', 'tsconfig.json'];
const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0', npm_config_cache: join(home, 'cache') };

test.afterEach(interruptAll);
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

function copyOf(names: readonly string[], folder: string): string {
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

/** Creates a fake npm that has installed half of the packages and never ends. */
function slowNpm(): string {
  const script = join(home, 'npm-cli.js');
  writeFileSync(script, `require('node:fs').mkdirSync('node_modules/half', { recursive: true }); setInterval(() => {}, 1000);`);
  return script;
}

test('an interrupted install is repeated by the next start; without a network that start says so', async () => {
  const folder = copyOf(['scripts', 'package.json', 'package-lock.json', 'plugins.manifest.json'], join(home, 'bare'));
  const first = new StartCommand({ folder, environment: { npm_execpath: slowNpm() } });
  await expect.poll(() => existsSync(join(folder, 'node_modules/half'))).toBe(true);
  first.interrupt();
  expect(await first.ended).toBe(130);
  expect(first.output).toBe('[1/3] Installing packages …\n');

  const second = await endedStart({ folder, environment: offline });
  expect(second.status).toBe(1);
  expect(second.output).toMatch(
    /^\[1\/3\] Installing packages …\n\nPackages could not be downloaded from http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\): connect to the network/,
  );
});

test('in a folder with a space and Chinese characters npm start is interrupted twice, and the next start serves without a network', async () => {
  test.setTimeout(400_000);
  const folder = copyOf(builtFrom, join(home, '马奎 back office'));
  mkdirSync(join(folder, 'data of 马奎'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const environment = { ...offline, PORT: '0', DATA_DIR: 'data of 马奎' };
  const start = () => new StartCommand({ folder, environment, command: [...npmCommand(), 'start'] });
  const database = join(folder, environment.DATA_DIR, 'database');
  const soon = { timeout: 180_000, intervals: [20] };

  const building = start();
  await expect.poll(() => building.output, soon).toContain('[1/2] Building …');
  await wait(2_000);
  building.interrupt();
  expect(await building.ended).not.toBe(0);
  expect(existsSync(join(folder, 'dist/.built'))).toBe(false);

  const preparing = start();
  await expect.poll(() => existsSync(join(database, 'postgres.unfinished')), soon).toBe(true);
  preparing.interrupt();
  expect(await preparing.ended).not.toBe(0);
  expect(preparing.output).toContain('[2/2] Preparing the database …');

  const last = start();
  await expect.poll(() => last.output, soon).toMatch(/Marquee runs at (http:\S+)[\s\S]+password +in .+initial-password\n/);
  expect(last.output).toMatch(/Preparing the database …\n[\s\S]*Database prepared in \d/);
  expect(last.output).not.toMatch(/Installing|Building/);
  const address = /Marquee runs at (http:\S+)/.exec(last.output)?.[1];
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  expect(await (await fetch(`${address}/`, { headers: { accept: 'text/html' } })).text()).toContain('<html');
  last.interrupt();
  await last.ended;
  expect(existsSync(join(database, 'marquee.lock'))).toBe(false);
});

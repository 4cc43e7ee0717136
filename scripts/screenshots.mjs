/**
 * Implements `npm run screenshots`: captures the built product in each theme, light and dark, in both languages, on one sheet each:
 * `docs/screenshots/themes-*.webp`. Arguments select themes, which are written larger to `--output FOLDER`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs';
import { findBrowser } from './test-services.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { output: { type: 'string', default: 'docs/screenshots' } } });
const account = { username: 'admin', password: 'Evening-Lights-2026' };
const size = { width: 1440, height: 900 };
const screens = [
  { name: 'list', path: '/system/param/index', ready: '.arco-table-tr td' },
  { name: 'sign-in', path: '/login', ready: 'input[name=username]' },
];
const languages = ['zh', 'en'];
const appearances = ['light', 'dark'];

process.chdir(root);
await ensureInstalled();
ensureBuilt();
const themes = readdirSync('src/kernel/platform/theme/themes')
  .filter((file) => file.endsWith('.css') && file !== 'index.css')
  .map((file) => `theme-${file.slice(0, -4)}`);
const chosen = positionals.length > 0 ? positionals.map((name) => `theme-${name}`) : ['theme-default', ...themes];

const folder = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'));
const product = await startProduct();
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
  page.setDefaultTimeout(120_000);
  for (const screen of screens) {
    if (screen.name === 'list') await signIn(page);
    else await forgetSession(page);
    const shots = [];
    for (const theme of chosen) {
      for (const language of languages) for (const appearance of appearances) shots.push(await capture(page, screen, { theme, language, appearance }));
    }
    const file = join(resolve(values.output), `themes-${screen.name}.webp`);
    writeFileSync(file, await sheetOf(shots));
    console.log(file);
  }
} finally {
  await browser.close();
  product.kill('SIGTERM');
  await new Promise((done) => product.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the product on a free port and in a temporary directory. */
async function startProduct() {
  const child = spawn(process.execPath, ['scripts/serve.mjs'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      CONSOLE_DIR: join(root, 'dist/console'),
      ADMIN_PASSWORD: account.password,
      LOG_LEVEL: 'warn',
    },
  });
  child.stderr.pipe(process.stderr);
  child.address = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const address = /runs at (http\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`The product did not start:\n${output}`)));
  });
  return child;
}

async function signIn(page) {
  await page.goto(product.address);
  await page.waitForSelector('input[name=username]');
  for (const [name, value] of Object.entries(account)) await page.fill(`input[name=${name}]`, value);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/wel\/index$/);
  await page.evaluate(() => {
    const { owner } = JSON.parse(localStorage.getItem('marquee-session'));
    localStorage.setItem(`marquee-shell:${owner}`, JSON.stringify({ version: 1, preference: { tagBar: true } }));
  });
  for (const path of ['/system/dict/index', '/system/param/index']) {
    await page.goto(product.address + path);
    await page.waitForSelector('.arco-table-tr td');
  }
}

async function forgetSession(page) {
  await page.evaluate(() => localStorage.removeItem('marquee-session'));
}

async function capture(page, { path, ready }, { theme, language, appearance }) {
  await page.evaluate(
    ([chosenTheme, chosenLanguage, chosenAppearance]) => {
      localStorage.setItem('marquee-look', JSON.stringify({ version: 1, look: { theme: chosenTheme } }));
      localStorage.setItem('marquee-language', JSON.stringify(chosenLanguage));
      localStorage.setItem('marquee-appearance', JSON.stringify(chosenAppearance));
    },
    [theme, language, appearance],
  );
  await page.goto(product.address + path);
  await page.waitForSelector(ready);
  await page.evaluate(() => document.fonts.ready);
  return { label: `${theme} · ${appearance} · ${language}`, image: (await page.screenshot({ type: 'jpeg', quality: 92 })).toString('base64') };
}

/** Combines all screenshots on one page, four per row, as WebP. */
async function sheetOf(shots) {
  const scale = positionals.length > 0 ? 0.5 : 1 / 3;
  const figures = shots.map(({ label, image }) => `<figure><img src="data:image/jpeg;base64,${image}"><figcaption>${label}</figcaption></figure>`);
  const columns = languages.length * appearances.length;
  const page = await browser.newPage({ viewport: { width: Math.round(size.width * scale) * columns + (columns + 1) * 12, height: 900 } });
  await page.setContent(`<style>
    body { display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 12px; margin: 12px; background: #8b939d; font: 12px sans-serif; }
    figure { margin: 0; } img { display: block; width: 100%; } figcaption { padding-top: 4px; color: #10151c; }
  </style>${figures.join('')}`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const devtools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width: page.viewportSize().width, height, scale: 1 };
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 72, captureBeyondViewport: true, clip });
  await page.close();
  return Buffer.from(data, 'base64');
}

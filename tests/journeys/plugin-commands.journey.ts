import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { blocksOf, pages } from '../docs/pages.ts';
import { ProjectCopy } from '../support/project-copy.ts';
import { signInThroughPage } from './console.ts';
import { Product } from './product.ts';

const root = process.cwd();

/** Returns the `npm run plugin …` commands of the documentation. Words in capitals are placeholders. */
const documented = () => {
  const texts = [
    ...pages().filter(({ path }) => !path.startsWith('decisions/')),
    ...['README.md', 'examples/loyalty/README.md'].map((path) => ({ text: readFileSync(path, 'utf8') })),
  ];
  return new Set(texts.flatMap(({ text }) => [...text.matchAll(/`(npm run plugin [^`]+)`/g)].map(([, line = '']) => line)));
};

/** Commands that run elsewhere: through `tests/support/loyalty-package.ts`, in `tests/scripts/plugin-check.test.ts`, and beside `npm run dev`. */
const elsewhere = [
  'npm run plugin -- build examples/loyalty',
  'npm run plugin -- check examples/loyalty',
  'npm run plugin -- check lamp --fix',
  'npm run plugin -- reset lamp',
];

const isRun = (line: string, lines: readonly string[]) => {
  const pattern = line
    .split(' ')
    .map((word) => (/^[A-Z]+$/.test(word) ? '.+' : word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join(' ');
  return lines.some((run) => new RegExp(`^${pattern}$`).test(run));
};

/** Writes the plugin of `docs/writing-a-plugin.md`, and the recipes, each of which is compiled with a copy of it. */
function writeDocumentedPlugin(copy: ProjectCopy): void {
  const blocksIn = (page: string) => blocksOf({ text: readFileSync(join('docs', page), 'utf8') });
  const files = blocksIn('writing-a-plugin.md').flatMap(({ path, text }) => (path ? [{ path, text }] : []));
  expect(files.map(({ path }) => path)).toEqual([...new Set(files.map(({ path }) => path))]);
  for (const { path, text } of files) copy.write(path, text);
  cpSync(copy.path('src/plugins/lamp'), copy.path('examples/lamp'), { recursive: true });
  for (const [place, { language, text }] of blocksIn('cookbook.md').entries()) copy.write(`examples/lamp/recipes/recipe-${place + 1}.${language}`, text);
}

/** Copies results of an earlier run for unchanged files: the build of the product and the state of the type checker. Packages stay links. */
function reuse(copy: ProjectCopy): void {
  for (const path of ['console', 'server', 'maps', 'announce.mjs', 'start.mjs', 'package.json', '.built'].map((name) => `dist/${name}`))
    if (existsSync(path)) cpSync(join(root, path), copy.path(path), { recursive: true });
  const types = 'node_modules/.cache/marquee/types.tsbuildinfo';
  if (existsSync(types)) cpSync(join(root, types), copy.path(types));
}

const navigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const row = (page: Page) => page.getByRole('row', { name: /靠窗的货架/ });

test('a plugin is created, planned, enabled, used, checked, disabled, enabled again with its data, and removed, by the documented commands', async ({
  page,
}) => {
  test.setTimeout(480_000);
  const copy = new ProjectCopy();
  const product = new Product({ CONSOLE_DIR: copy.path('dist/console') }, [copy.path('scripts/start.mjs')]);
  const lines: string[] = [];
  const run = (line: string) => {
    lines.push(line);
    const { status, stdout, stderr } = copy.runNpm(line);
    expect(status, `${line}\n${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  const openShelves = async () => {
    await navigation(page).getByText('基础配置').click();
    await navigation(page).getByText('货架').click();
  };
  try {
    reuse(copy);
    writeDocumentedPlugin(copy);
    const before = copy.pathsIn('src/plugins').filter((path) => !path.startsWith('lamp'));
    const manifest = copy.read('plugins.manifest.json');
    expect(run('npm run plugin -- new shelf --title 货架,Shelves --under base')).toContain('+ src/plugins/shelf/contract.ts');

    await test.step('disabled, it is listed as such; a plan shows the effects of enabling it', async () => {
      run('npm run plugin -- disable shelf');
      expect(copy.read('plugins.manifest.json')).toBe(manifest);
      const list = run('npm run plugin list');
      expect(list).toMatch(/^notice +Notices .* needs dictionary, organization$/m);
      expect(list).toContain('not listed: lamp, shelf\n');
      cpSync(copy.path('dist'), copy.path('dist-without'), { recursive: true });
      const plan = run('npm run plugin -- plan --with lamp,shelf');
      expect(plan).toContain('+ lamp\n+ shelf\n');
      expect(plan).toContain('+ menu: Lamps (/base/lamp), Shelves (/base/shelf)');
      expect(plan).toContain('+ permission codes: lamp, lamp_add');
    });

    await test.step('enabled, its page is in the menu and keeps rows', async () => {
      run('npm run plugin -- enable lamp');
      run('npm run plugin -- enable shelf');
      await product.start();
      expect(product.output).not.toContain('Building');
      await page.goto(product.address);
      await signInThroughPage(page);
      await openShelves();
      await page.getByRole('button', { name: '新增', exact: true }).first().click();
      const form = page.getByRole('dialog');
      await expect(form.locator(':focus')).toHaveCount(1);
      await form.getByRole('textbox', { name: '名称' }).fill('靠窗的货架');
      await form.getByRole('button', { name: '保存' }).click();
      await expect(row(page)).toBeVisible();
    });

    await test.step('it passes the checks of every plugin, as does the one in the documentation', async () => {
      await product.stop();
      expect(run('npm run plugin -- check lamp shelf')).toContain('lamp, shelf: passed.');
      expect(run('npm run plugin -- list')).toMatch(/^shelf +Shelves /m);
      expect(run('npm run plugin -- doctor')).toContain('No problems found.');
      expect(run('npm run plugin -- key acme.pem')).toMatch(/^PLUGIN_KEYS=acme:[\w+/]+=*$/m);
      const upgraded = run('npm run plugin -- upgrade');
      expect(upgraded).toMatch(/^\d+ files?\. docs/m);
      expect(upgraded).not.toContain('plugins/shelf');
      expect(run('npm run plugin -- upgrade --dry')).toContain('Nothing to change.');
    });

    await test.step('disabled, it is absent after a start; enabled, it is back with its data', async () => {
      run('npm run plugin -- disable lamp shelf');
      expect(copy.read('plugins.manifest.json')).toBe(manifest);
      renameSync(copy.path('dist'), copy.path('dist-with'));
      renameSync(copy.path('dist-without'), copy.path('dist'));
      await product.start();
      expect(product.output).not.toContain('Building');
      await page.goto(`${product.address}/base/shelf/index`);
      await expect(page).toHaveURL(/\/404$/);
      await navigation(page).getByText('基础配置').click();
      await expect(navigation(page).getByText('货架')).toHaveCount(0);
      await product.stop();

      run('npm run plugin -- enable lamp shelf');
      renameSync(copy.path('dist'), copy.path('dist-without'));
      renameSync(copy.path('dist-with'), copy.path('dist'));
      await product.start();
      expect(product.output).not.toContain('Building');
      await page.goto(product.address);
      await openShelves();
      await expect(row(page)).toBeVisible();
      await product.stop();
    });

    await test.step('removed, its files are gone and its data is mentioned', async () => {
      run('npm run plugin -- disable lamp shelf');
      expect(run('npm run plugin -- remove lamp shelf')).toContain('drop table shelf;');
      expect(copy.pathsIn('src/plugins')).toEqual(before);
      expect(copy.read('plugins.manifest.json')).toBe(manifest);
    });
    expect([...documented()].filter((line) => !isRun(line, [...lines, ...elsewhere]))).toEqual([]);
  } finally {
    await product.discard();
    copy.discard();
  }
});

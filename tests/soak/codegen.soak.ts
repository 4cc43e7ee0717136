import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openSignedIn } from '../journeys/console.ts';
import { Product } from '../journeys/product.ts';
import { mysqlSample, postgresSample, type SampleDatabase } from '../support/sample-schema.ts';

const root = join(import.meta.dirname, '../..');
const path = '/api/blade-develop';

const kinds: readonly [name: string, url: string | undefined, open: (url: URL) => Promise<SampleDatabase>, file: string][] = [
  ['mariadb', process.env.TEST_MYSQL_URL, mysqlSample, 'mysql.initial.sql'],
  ['postgresql', process.env.TEST_DATABASE_URL, postgresSample, 'postgres.initial.sql'],
];

for (const [name, url, open, file] of kinds) {
  test(`every table of a foreign schema on ${name} becomes a plugin that is built, boots and works`, async ({ page }) => {
    const schema = foreignSchema(file);
    test.skip(schema === undefined, 'The schema comes with the Debian package roundcube-core, which could not be fetched.');
    test.skip(url === undefined, `No ${name} was found or could be started.`);
    const sample = await open(new URL(url as string));
    const generator = new Product({ EGRESS_ALLOW: '127.0.0.1,localhost' });
    const folder = join(root, 'dist/generated', name);
    rmSync(folder, { recursive: true, force: true });
    try {
      await sample.run(schema as string);
      await generator.start();
      const plugins = await generate(generator, sample.source);
      expect(plugins.length).toBeGreaterThanOrEqual(15);
      for (const one of plugins.flatMap(({ files }) => files)) {
        mkdirSync(dirname(join(folder, one.path)), { recursive: true });
        writeFileSync(join(folder, one.path), one.text);
      }
      const manifest = JSON.parse(readFileSync(join(root, 'plugins.manifest.json'), 'utf8'));
      const listed = ['settings', 'dictionary', 'access', ...plugins.map(({ id }) => `./src/plugins/${id}`)];
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, $schema: undefined, plugins: listed }));
      const built = spawnSync(process.execPath, ['scripts/build.mjs', '--manifest', join(folder, 'manifest.json'), '--output', join(folder, 'built')], {
        cwd: root,
        encoding: 'utf8',
      });
      expect(built.status, built.stdout + built.stderr).toBe(0);

      const product = new Product({ CONSOLE_DIR: join(folder, 'built/console') }, ['scripts/serve.mjs', join(folder, 'built/server/main.js')]);
      try {
        await product.start();
        const operator = await product.signIn();
        for (const { id, apiPath, form } of plugins) {
          const added = await operator.post(`${apiPath}/submit`, form);
          expect({ id, code: added.code, msg: added.msg }).toMatchObject({ id, code: 200 });
          const row = added.data as { id: string };
          expect((await operator.get(`${apiPath}/list`)).data).toMatchObject({ records: [{ id: row.id }] });
          expect(await operator.post(`${apiPath}/submit`, { ...form, id: row.id })).toMatchObject({ code: 200 });
          expect(await operator.post(`${apiPath}/remove`, { ids: [row.id] })).toMatchObject({ code: 200 });
        }
        const shown = plugins.find(({ table }) => table === 'system');
        await openSignedIn(page, product, `${shown?.webPath}/index`);
        await page.getByRole('button', { name: '新增', exact: true }).first().click();
        const dialog = page.getByRole('dialog');
        await expect(dialog.getByRole('textbox')).toHaveCount(2);
        for (const box of await dialog.getByRole('textbox').all()) await box.fill('generated');
        await dialog.getByRole('button', { name: '保存' }).click();
        await expect(page.getByRole('row', { name: /generated/ })).toBeVisible();
        console.log(`${name}: ${plugins.length} tables`);
      } finally {
        await product.discard();
      }
    } finally {
      await generator.discard();
      await sample.drop();
    }
  });
}

interface GeneratedPlugin {
  readonly id: string;
  readonly table: string;
  readonly apiPath: string;
  readonly webPath: string;
  readonly files: readonly { path: string; text: string }[];
  /** Fields that the test of the plugin adds. */
  readonly form: object;
}

/** Imports every table of the data source and generates its plugin. */
async function generate(product: Product, source: object): Promise<GeneratedPlugin[]> {
  const operator = await product.signIn();
  const data = async <Data>(asked: Promise<{ code: number; msg: string; data: unknown }>): Promise<Data> => {
    const { code, msg, data: answered } = await asked;
    expect({ code, msg }).toMatchObject({ code: 200 });
    return answered as Data;
  };
  const { id: datasourceId } = await data<{ id: string }>(operator.post(`${path}/datasource/submit`, { name: 'foreign', ...source }));
  const tables = await data<{ name: string }[]>(operator.get(`${path}/model/table-list`, { datasourceId }));
  await data(operator.post(`${path}/model/adopt`, { datasourceId, tables: tables.map(({ name }) => name) }));
  const models = await data<{ records: { id: string; modelTable: string }[] }>(operator.get(`${path}/model/list`, { size: 200 }));
  await data(operator.post(`${path}/code/adopt`, { ids: models.records.map(({ id }) => id) }));
  const codes = await data<{ records: { id: string; serviceName: string; modelId: string; apiPath: string; webPath: string }[] }>(
    operator.get(`${path}/code/list`, { size: 200 }),
  );
  const plugins: GeneratedPlugin[] = [];
  for (const { id, serviceName, modelId, apiPath, webPath } of codes.records) {
    const { files } = await data<{ files: { path: string; text: string }[] }>(operator.get(`${path}/code/preview`, { id }));
    const test = files.find((file) => file.path.endsWith('.test.ts'))?.text ?? '';
    const form = new Function(`return ${/const form = (\{[\s\S]*?\});\n/.exec(test)?.[1]}`)() as object;
    const table = models.records.find((model) => model.id === modelId)?.modelTable ?? '';
    plugins.push({ id: serviceName, table, apiPath, webPath, files, form });
  }
  return plugins;
}

/** Returns the tables of Roundcube for a database, as its Debian package creates them. */
function foreignSchema(file: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-foreign-'));
  try {
    const run = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: folder, stdio: 'ignore', shell: false }).status === 0;
    if (!run('apt-get', 'download', 'roundcube-core') || !run('sh', '-c', 'dpkg-deb -x roundcube-core*.deb .')) return undefined;
    return readFileSync(join(folder, 'usr/share/roundcube/SQL', file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

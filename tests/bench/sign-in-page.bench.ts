import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Product } from '../journeys/product.ts';
import { markInteractive } from '../journeys/transfers.ts';
import { openBrowser } from './browser.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const section = 'Sign-in page';
const rounds = 15;
const bound = 1.3;
const folder = join(process.cwd(), 'test-results/bare-form');

/** A page that has React, a form of Arco and nothing else; its first field has the focus, as in ours, which lays out the page. */
const bareForm = `import { Button, Form, Input } from '@arco-design/web-react';
import '@arco-design/web-react/es/Form/style/css.js';
import '@arco-design/web-react/es/Input/style/css.js';
import '@arco-design/web-react/es/Button/style/css.js';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const field = (name, control) => createElement(Form.Item, { label: name, field: name }, control);
createRoot(document.getElementById('root')).render(
  createElement(
    Form,
    null,
    field('用户名', createElement(Input, { name: 'username', autoFocus: true })),
    field('密码', createElement(Input.Password, { name: 'password' })),
    createElement(Button, { htmlType: 'submit', type: 'primary' }, '登录'),
  ),
);
`;
const bareConfig = `export default {
  source: { entry: { index: './entry.mjs' } },
  output: { distPath: { root: 'dist' }, legalComments: 'none' },
};
`;

const product = new Product();
let bare: Server;
let browser: Browser;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'entry.mjs'), bareForm);
  writeFileSync(join(folder, 'rsbuild.config.mjs'), bareConfig);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(process.cwd(), 'node_modules/@rsbuild/core/bin/rsbuild.js'), 'build'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  bare = serve(join(folder, 'dist'));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  await product.start();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  bare.close();
  await product.discard();
});

/** Serves a folder compressed as the product serves its own files. */
function serve(root: string): Server {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const files = new Map(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => extname(name) in types)
      .map((name) => [`/${name}`, { type: types[extname(name)] as string, body: brotliCompressSync(readFileSync(join(root, name))) }]),
  );
  return createServer((request, response) => {
    const file = files.get(request.url === '/' ? '/index.html' : (request.url ?? ''));
    response.writeHead(file ? 200 : 404, file ? { 'content-type': file.type, 'content-encoding': 'br' } : {}).end(file?.body);
  });
}

test('the sign-in form can be used nearly as soon as a bare form', { timeout: 600_000 }, async () => {
  const addresses = { ours: product.address, bare: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` };
  for (const { at, slowdown, bytesPerSecond } of [
    { at: 'this machine', slowdown: 1, bytesPerSecond: -1 },
    { at: '4 × slower CPU, 1.6 Mbit/s', slowdown: 4, bytesPerSecond: 200_000 },
  ]) {
    const figures = { ours: [] as number[], bare: [] as number[] };
    const open = async (which: keyof typeof addresses) => {
      const context = await browser.newContext({ locale: 'zh-CN' });
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond });
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      await page.addInitScript(markInteractive);
      await page.goto(addresses[which]);
      await page.waitForFunction(() => performance.getEntriesByName('sign-in-interactive').length > 0);
      figures[which].push(await page.evaluate(() => performance.getEntriesByName('sign-in-interactive')[0]?.startTime ?? Number.NaN));
      await context.close();
    };
    await inTurn(
      rounds,
      () => open('ours'),
      () => open('bare'),
    );
    const [ours, alone] = [median(figures.ours), median(figures.bare)];
    const ratio = ours / alone;
    const figure = `${times(ratio)} a page of React and a form of Arco (${milliseconds(ours)} to ${milliseconds(alone)})`;
    report({ section, what: 'until the form can be used', figure, bound: `${bound} ×`, kept: ratio <= bound, at: `an empty cache, ${at}, ${rounds} times` });
  }
});

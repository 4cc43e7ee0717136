import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/**
 * Opens a page with an empty cache and returns the milliseconds until its form can be used. The page is attached without the `Runtime` domain, unlike a page of Playwright:
 * with it the browser compiles every function on the stack again for each error that React creates on load, which no user's browser does.
 */
async function untilInteractive(browser: Browser, url: string, { slowdown, bytesPerSecond }: { slowdown: number; bytesPerSecond: number }): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  const { browserContextId } = await cdp.send('Target.createBrowserContext');
  const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
  const replies = new Map<number, (result: unknown) => void>();
  cdp.on('Target.receivedMessageFromTarget', (event) => {
    const { id, result } = JSON.parse(event.message) as { id?: number; result: unknown };
    if (event.sessionId === sessionId && id !== undefined) replies.get(id)?.(result);
  });
  const send = <Result>(method: string, params: object = {}) =>
    new Promise<Result>((resolve) => {
      const id = replies.size + 1;
      replies.set(id, (result) => resolve(result as Result));
      void cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    });
  await send('Page.enable');
  await send('Network.enable');
  await send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond });
  await send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${markInteractive})()` });
  await send('Page.navigate', { url });
  for (;;) {
    // Each question takes time of the page.
    await setTimeout(50 * slowdown);
    const expression = "performance.getEntriesByName('sign-in-interactive')[0]?.startTime";
    const { result } = await send<{ result: { value?: number } }>('Runtime.evaluate', { expression, returnByValue: true });
    if (result.value === undefined) continue;
    await cdp.send('Target.disposeBrowserContext', { browserContextId });
    await cdp.detach();
    return result.value;
  }
}

test('the sign-in form can be used nearly as soon as a bare form', { timeout: 600_000 }, async () => {
  const addresses = { ours: product.address, bare: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` };
  for (const { at, slowdown, bytesPerSecond } of [
    { at: 'this machine', slowdown: 1, bytesPerSecond: -1 },
    { at: '4 × slower CPU, 1.6 Mbit/s', slowdown: 4, bytesPerSecond: 200_000 },
  ]) {
    const figures = { ours: [] as number[], bare: [] as number[] };
    const open = async (which: keyof typeof addresses) => {
      figures[which].push(await untilInteractive(browser, addresses[which], { slowdown, bytesPerSecond }));
    };
    await inTurn(
      rounds,
      () => open('ours'),
      () => open('bare'),
    );
    const [ours, alone] = [median(figures.ours), median(figures.bare)];
    const ratio = ours / alone;
    const figure = `${times(ratio)} a page of React and a form of Arco (${milliseconds(ours)} to ${milliseconds(alone)})`;
    report({ section, what: 'until the form can be used', figure, bound: `${bound} ×`, isMet: ratio <= bound, at: `an empty cache, ${at}, ${rounds} times` });
  }
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { uploadErrors } from '#shared/error-log';
import { SourceMaps } from '../../../../src/server/platform/audit/source-maps.ts';
import { testServer } from '../../../support/test-server.ts';

/** Creates a build of one file: column 1 maps to line 5 of the source, column 11 to line 9. */
function createBuild(): { folder: string; console: string } {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const map = {
    version: 3,
    file: 'assets/lamp.0123456789.js',
    sources: ['webpack:///./src/plugins/lamp/console/LampPage.tsx'],
    names: [],
    mappings: 'AAIA,UAII',
  };
  for (const [place, text] of Object.entries({
    'maps/assets/lamp.0123456789.js.map': JSON.stringify(map),
    'console/assets/lamp.0123456789.js': 'light();throw 1',
    'console/index.html': '<!doctype html>',
  })) {
    mkdirSync(join(folder, place, '..'), { recursive: true });
    writeFileSync(join(folder, place), text);
  }
  return { folder, console: join(folder, 'console') };
}

const stack = `Error: lamp burst
    at t (https://host/assets/lamp.0123456789.js:1:11)
    at https://host/base/assets/lamp.0123456789.js:1:1
    at other (https://host/assets/older.9876543210.js:1:11)
    at up (https://host/assets/..%2f..%2fsecret.js:1:1)`;

test('an uploaded stack is stored with source positions; stacks of another build stay unchanged', async () => {
  const { console: CONSOLE_DIR } = createBuild();
  const server = await testServer({ plugins: ['log'], environment: { CONSOLE_DIR } });
  const headers = await server.signIn();
  const report = { url: '/lamp', time: 1_790_000_000_000, type: 'error', message: 'lamp burst', stack, info: '' };
  expect(await server.app.inject({ method: 'POST', url: uploadErrors.path, headers, payload: [report] })).toMatchObject({ statusCode: 200 });
  const { data: page } = await server.get('/api/blade-log/error/list', { headers });
  const { data } = await server.get('/api/blade-log/error/detail', { headers, query: { id: page.records[0].id } });
  expect(data.stackTrace).toBe(`Error: lamp burst
    at t (src/plugins/lamp/console/LampPage.tsx:9:5)
    at src/plugins/lamp/console/LampPage.tsx:5:1
    at other (https://host/assets/older.9876543210.js:1:11)
    at up (https://host/assets/..%2f..%2fsecret.js:1:1)`);
  expect(data).toMatchObject({ fileName: 'src/plugins/lamp/console/LampPage.tsx', lineNumber: 9 });
});

test('source maps are not served under any address', async () => {
  const { console: CONSOLE_DIR } = createBuild();
  const server = await testServer({ environment: { CONSOLE_DIR } });
  const ask = async (url: string) => server.app.inject({ method: 'GET', url });
  expect((await ask('/assets/lamp.0123456789.js')).statusCode).toBe(200);
  for (const before of [
    '/assets',
    '/maps/assets',
    '/../maps/assets',
    '/%2e%2e/maps/assets',
    '/assets/..%2f..%2fmaps/assets',
    '/assets/..%5c..%5cmaps/assets',
  ]) {
    const { statusCode, body } = await ask(`${before}/lamp.0123456789.js.map`);
    expect({ before, isRefused: statusCode >= 400, body: body.includes('LampPage') }).toEqual({ before, isRefused: true, body: false });
  }
});

test('without valid maps stacks stay unchanged', async () => {
  expect(await new SourceMaps(undefined).resolve(stack)).toBe(stack);
  const { folder } = createBuild();
  writeFileSync(join(folder, 'maps/assets/lamp.0123456789.js.map'), 'no map');
  expect(await new SourceMaps(join(folder, 'maps')).resolve(stack)).toBe(stack);
});

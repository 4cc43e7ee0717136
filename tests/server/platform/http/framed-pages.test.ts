import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { createApp } from '../../../../src/server/platform/http/app.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-frames-'));
let server: TestServer;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Marquee</title>');
  writeFileSync(join(folder, 'report.html'), '<!doctype html><title>Report</title>');
  server = await openTestServer({ environment: { CONSOLE_DIR: folder }, frames: ['https://reports.example.com', 'https://*.example.org'] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const html = { accept: 'text/html' };
const fetched = (url: string, headers: Record<string, string> = html) => server.app.inject({ method: 'GET', url, headers });

test('only the console itself and the origins of the manifest can be framed', async () => {
  const { headers } = await fetched('/');
  expect(String(headers['content-security-policy'])).toContain("frame-src 'self' https://reports.example.com https://*.example.org;");
});

test('a page beside the console can be framed by the console, and the console by no page', async () => {
  const report = await fetched('/report.html');
  expect(report.body).toContain('Report');
  expect(report.headers['x-frame-options']).toBe('SAMEORIGIN');
  expect(String(report.headers['content-security-policy'])).toMatch(/script-src 'self';.*frame-ancestors 'self'/);
  for (const url of ['/', '/index.html', '/wel/index']) {
    const { headers } = await fetched(url);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'");
  }
});

test('a frame that asks for a page there is not is not given the console', async () => {
  expect((await fetched('/gone.html', { ...html, 'sec-fetch-dest': 'iframe' })).statusCode).toBe(404);
  expect((await fetched('/gone.html')).body).toContain('Marquee');
});

test('a manifest with an invalid origin does not start', async () => {
  const configuration = { mode: 'test', logLevel: 'silent', trustProxy: 0, bodyCryptoKey: undefined, basePath: '' } as const;
  for (const frames of [['*'], ['https://a.example; script-src *'], ['javascript:alert(1)'], ['https://a.example/path']])
    await expect(createApp(configuration, { frames })).rejects.toThrow(/frames/);
});

import { afterAll, afterEach, beforeAll, expect, rs, test } from '@rstest/core';
import { PolicyReportLog } from '../../../../src/server/host/serving/policy-reports.ts';
import { securityHeadersOf } from '../../../../src/server/platform/http/security-headers.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const address = '/api/csp-report';
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: { OPEN_RATE: '8', TRUST_PROXY: '1' } });
});
afterAll(() => server.stop());
afterEach(() => {
  rs.restoreAllMocks();
});

let place = 0;
const nextAddress = () => {
  place += 1;
  return `198.51.100.${place}`;
};
/** Sends from a new address unless one is given. */
const send = (type: string, payload: string, from = nextAddress()) =>
  server.app.inject({ method: 'POST', url: address, headers: { 'content-type': type, 'x-forwarded-for': from }, payload });
const written = () => {
  const lines: unknown[] = [];
  rs.spyOn(server.app.log, 'warn').mockImplementation((entry: unknown) => void lines.push(entry));
  return lines;
};

test('the policy lists the Trusted Types the console makes and where to report, over HTTPS by name as well', () => {
  const remote = { id: 'loyalty', manifest: 'https://plugins.acme.test/loyalty/manifest.json', integrity: 'sha384-x' };
  const headers = securityHeadersOf({ frames: [], remotes: [remote] });
  const directives = ({ 'content-security-policy': policy = '' }: Readonly<Record<string, string>>) => policy.split(';');
  const shared = [
    "require-trusted-types-for 'script'",
    'trusted-types marquee marquee-chunks marquee-retries ProseMirrorClipboard marquee-remote-loyalty',
    `report-uri ${address}`,
  ];
  const [plain, secure] = [headers.of({ protocol: 'http' }), headers.of({ protocol: 'https' })];
  expect(directives(plain)).toEqual(expect.arrayContaining(shared));
  expect([directives(plain).includes('report-to csp'), plain['reporting-endpoints']]).toEqual([false, undefined]);
  expect(directives(secure)).toEqual(expect.arrayContaining([...shared, 'report-to csp']));
  expect(secure['reporting-endpoints']).toBe(`csp="${address}"`);
});

test('a report of either form becomes one line without queries, pieces of the page and fields of others', async () => {
  const lines = written();
  const old = {
    'document-uri': 'https://marquee.test/system/param?code=secret#part',
    'effective-directive': 'script-src-elem',
    'violated-directive': 'script-src-elem',
    'blocked-uri': 'inline',
    'source-file': 'https://marquee.test/assets/a.js?x=secret',
    'line-number': 3,
    'column-number': 7,
    'script-sample': 'secret',
    'original-policy': 'secret',
  };
  const sink = {
    documentURL: 'https://marquee.test/wel/index',
    effectiveDirective: 'require-trusted-types-for',
    blockedURL: 'trusted-types-sink',
    sample: 'Element innerHTML|<img src=secret>',
  };
  const other = { type: 'deprecation', url: 'https://marquee.test/', body: { id: 'old', effectiveDirective: 'none' } };
  const blob = {
    type: 'csp-violation',
    body: { effectiveDirective: 'img-src', blockedURL: 'data:secret', documentURL: `https://marquee.test/${'x'.repeat(900)}` },
  };
  expect((await send('application/csp-report', JSON.stringify({ 'csp-report': old }))).statusCode).toBe(204);
  expect((await send('application/reports+json', JSON.stringify([{ type: 'csp-violation', body: sink }, other, blob, 1, null]))).statusCode).toBe(204);
  expect(lines).toEqual([
    {
      report: {
        directive: 'script-src-elem',
        blocked: 'inline',
        page: 'https://marquee.test/system/param',
        source: 'https://marquee.test/assets/a.js:3:7',
        sink: '',
      },
    },
    {
      report: {
        directive: 'require-trusted-types-for',
        blocked: 'trusted-types-sink',
        page: 'https://marquee.test/wel/index',
        source: '',
        sink: 'Element innerHTML',
      },
    },
    { report: expect.objectContaining({ directive: 'img-src', blocked: 'data:', page: `https://marquee.test/${'x'.repeat(900)}`.slice(0, 200) }) },
  ]);
});

test('reports that are too large, too frequent, not JSON or of another type are refused and not logged', async () => {
  const lines = written();
  const statuses = async (type: string, payload: string) => (await send(type, payload)).statusCode;
  expect(await statuses('application/csp-report', JSON.stringify({ 'csp-report': { 'blocked-uri': 'x'.repeat(17_000) } }))).toBe(413);
  expect(await statuses('application/csp-report', 'x')).toBe(400);
  expect(await statuses('application/csp-report', '['.repeat(100))).toBe(400);
  expect(await statuses('application/json', '{}')).toBe(415);
  expect(await statuses('application/csp-report', '{"csp-report":{"effective-directive":["a"]}}')).toBe(204);
  const often = [];
  for (let count = 0; count < 9; count += 1) often.push((await send('application/csp-report', '{}', '203.0.113.9')).statusCode);
  expect(often).toEqual([...Array.from({ length: 8 }, () => 204), 429]);
  expect(lines.filter((line) => line !== null && typeof line === 'object' && 'report' in line)).toEqual([]);
});

test('each report is logged once a minute and twenty at most, with a count of dropped ones', () => {
  let now = 0;
  const lines: unknown[] = [];
  const log = new PolicyReportLog({ warn: (entry: unknown) => void lines.push(entry) } as never, () => now);
  const report = (directive: string) => ({ directive, blocked: '', page: '', source: '', sink: '' });
  for (let count = 0; count < 30; count += 1) log.write(report(`directive-${count % 25}`));
  expect(lines).toHaveLength(20);
  now = 60_000;
  log.write(report('directive-0'));
  log.write(report('directive-0'));
  expect(lines.slice(20)).toEqual([{ leftOut: 10 }, { report: report('directive-0') }]);
});

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { event } from '#shared/contract';
import { liveEvents } from '#shared/live';
import { sparePort } from '../../../../scripts/port.mjs';
import { findReverseProxy } from '../../../../scripts/test-services.mjs';
import { LiveEvents } from '../../../../src/server/platform/live/live-events.ts';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';

const Lit = event<{ lamp: number }>('lamp:lit');
const host = 'console.company.cn';

let server: TestServer;
let port: number;
let home: string;
let certificate: string;

beforeAll(async () => {
  server = await openTestServer({ plugins, environment: { TRUST_PROXY: '1', METRICS_TOKEN: 'c2f0a51d9be84731a6' } });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
  home = mkdtempSync(join(tmpdir(), 'marquee-proxies-'));
  const [key, pem] = [join(home, 'key.pem'), join(home, 'certificate.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', pem, ...subject], { stdio: 'ignore' });
  certificate = readFileSync(pem, 'utf8');
  writeFileSync(join(home, 'both.pem'), certificate + readFileSync(key, 'utf8'));
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Ports {
  readonly plain: number;
  readonly secure: number;
}

/** A reverse proxy with the configuration of `deploy/`, on ports of this test. */
interface Proxy {
  readonly path: string | undefined;
  readonly source: string;
  /** Replaces what a deployment sets itself: ports, certificates and the address of the server. */
  configured(source: string, ports: Ports): string;
  command(file: string): readonly string[];
  /** False if this test does not run it with TLS, as it gets its certificates from the network. */
  readonly isSecure: boolean;
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    path: findReverseProxy('nginx'),
    source: 'deploy/nginx/marquee.conf',
    configured: (source, { plain, secure }) => {
      const site = source
        .replace('listen 443', `listen 127.0.0.1:${secure}`)
        .replace('listen 80', `listen 127.0.0.1:${plain}`)
        .replaceAll('/etc/ssl/marquee', home);
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ');
      return `daemon off; pid ${home}/nginx.pid; error_log ${home}/nginx.log; events {} http { access_log off; ${folders} ${site} }`;
    },
    command: (file) => ['-c', file],
    isSecure: true,
  },
  haproxy: {
    path: findReverseProxy('haproxy'),
    source: 'deploy/haproxy/haproxy.cfg',
    configured: (source, { plain, secure }) =>
      source.replace('bind :80', `bind 127.0.0.1:${plain}`).replace('bind :443', `bind 127.0.0.1:${secure}`).replaceAll('/etc/ssl/marquee', home),
    command: (file) => ['-db', '-f', file],
    isSecure: true,
  },
  caddy: {
    path: findReverseProxy('caddy'),
    source: 'deploy/caddy/Caddyfile',
    configured: (source, { plain }) =>
      `{\n\tadmin off\n\tauto_https off\n}\n${source.replace(`{$SITE:${host}} {`, `http://${host}:${plain} {\n\tbind 127.0.0.1`)}`,
    command: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    isSecure: false,
  },
};

async function started({ path = '', source, configured, command }: Proxy): Promise<Ports> {
  const ports = { plain: await sparePort(), secure: await sparePort() };
  const folder = mkdtempSync(join(home, 'proxy-'));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'configuration');
  writeFileSync(file, configured(readFileSync(source, 'utf8').replace('127.0.0.1:8080', `127.0.0.1:${port}`), ports));
  const running = spawn(path, command(file), { stdio: 'ignore', env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
  onTestFinished(async () => {
    running.kill('SIGTERM');
    await new Promise((resolve) => (running.exitCode === null ? running.once('close', resolve) : resolve(undefined)));
  });
  return ports;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

for (const [name, proxy] of Object.entries(proxies)) {
  test.runIf(proxy.path !== undefined)(
    `${name} passes on requests, live events and large files, names the address of the caller, and keeps metrics inside`,
    async () => {
      const ports = await started(proxy);
      const send = (path: string, { method = 'GET', headers = {}, body }: Sent = {}, isSecure = proxy.isSecure) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const options = { host: '127.0.0.1', method, path, headers: { ...headers, host: isSecure ? host : `${host}:${ports.plain}` } };
          const request = isSecure
            ? secureRequest({ ...options, port: ports.secure, ca: certificate, servername: host }, resolve)
            : plainRequest({ ...options, port: ports.plain }, resolve);
          request.once('error', reject).end(body);
        });
      const statusOf = async (path: string, sent?: Sent, isSecure?: boolean) => {
        const reply = await send(path, sent, isSecure).catch(() => undefined);
        await (reply && buffer(reply));
        return reply?.statusCode;
      };
      await expect.poll(() => statusOf('/health/ready'), { timeout: 20_000 }).toBe(200);

      const headers = await server.signIn();
      expect(await statusOf('/api/blade-system/menu/buttons', { headers })).toBe(200);
      expect(await statusOf('/metrics', { headers: { authorization: 'Bearer c2f0a51d9be84731a6' } })).toBe(404);
      if (proxy.isSecure) expect(await statusOf('/wel/index', {}, false)).toBe(301);

      const stream = await send(liveEvents.path, { headers });
      let heard = '';
      stream.setEncoding('utf8').on('data', (text: string) => (heard += text));
      await expect.poll(() => heard, { timeout: 10_000 }).toContain('event: ');
      await server.db.write({ tenantId: '000000' }, () => new LiveEvents(server.db).publish(Lit, { lamp: 7 }, { tenant: '000000' }));
      await expect.poll(() => heard, { timeout: 10_000 }).toContain('{"lamp":7}');
      stream.destroy();

      const boundary = '----marquee';
      const file = Buffer.alloc(15 * 1024 * 1024, 'x');
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.txt"\r\ncontent-type: text/plain\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
      const form = { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) };
      expect(await statusOf('/api/file/uploadFile', { method: 'POST', headers: form, body })).toBe(200);

      const account = `stranger-${name}`;
      const attempt = new URLSearchParams({ grant_type: 'password', username: account, password: 'wrong' }).toString();
      const spoofed = { ...clientHeaders, 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.9' };
      await statusOf('/api/things-auth/oauth/token', { method: 'POST', headers: spoofed, body: attempt });
      const logged = async () => (await server.get('/api/blade-log/login/list', { headers, query: { account } })).data.records[0]?.address;
      await expect.poll(logged, { timeout: 10_000 }).toBe('127.0.0.1');
    },
    60_000,
  );
}

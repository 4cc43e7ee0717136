import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../support/test-server.ts';
import { milliseconds, report, times } from './report.ts';

const section = 'A flood of sign-ins';
const signIns = 10_000;
const signInsPerSecond = 170;
const otherRequestsPerSecond = 50;
const baselineSeconds = 15;
/** An odd number, so that the sign-ins of an account alternate between the right password and a wrong one. */
const accounts = 1999;

/** Sends requests from a separate thread, so that the measurement does not slow down the server, and returns the result of each request. */
const sender = `
const { parentPort, workerData } = require('node:worker_threads');
const http = require('node:http');
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
const send = ({ path, headers, body }) => new Promise((resolve) => {
  const start = performance.now();
  const done = (status, text) => resolve({ status, text, milliseconds: performance.now() - start });
  const request = http.request({ port: workerData.port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) }, agent }, (reply) => {
    let text = '';
    reply.on('data', (part) => (text += part));
    reply.on('end', () => done(reply.statusCode, text.slice(0, 200)));
  });
  request.on('error', (error) => done(0, String(error)));
  request.end(body);
});
const sendAtRate = async (requests, intervalMs) => {
  const sent = [];
  for (let due = performance.now(); sent.length < requests.length; ) {
    for (; due <= performance.now() && sent.length < requests.length; due += intervalMs) sent.push(send(requests[sent.length]));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return Promise.all(sent);
};
const repeatUntil = async (request, intervalMs, flag) => {
  const sent = [];
  for (let due = performance.now(); Atomics.load(flag, 0) === 0; due += intervalMs) {
    sent.push(send(request));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due + intervalMs - performance.now())));
  }
  return Promise.all(sent);
};
const { kind } = workerData;
(kind === 'flood' ? sendAtRate(workerData.requests, workerData.intervalMs) : repeatUntil(workerData.request, workerData.intervalMs, new Int32Array(workerData.flag)))
  .then((results) => { agent.destroy(); parentPort.postMessage(results); });
`;

interface Result {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

const runSender = (workerData: object) =>
  new Promise<Result[]>((resolve, reject) => {
    const worker = new Worker(sender, { eval: true, workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

const p95 = (results: readonly Result[]) =>
  [...results].sort((a, b) => a.milliseconds - b.milliseconds)[Math.floor(results.length * 0.95)]?.milliseconds ?? Number.NaN;

describe.skipIf(serverUrl === undefined)('a flood of sign-ins', () => {
  let server: TestServer;
  let drop: () => Promise<void>;
  let port: number;

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const database = await openTestDatabase();
    drop = database.drop;
    server = await openTestServer({ plugins, db: database.db, environment: { TRUST_PROXY: '1', TOKEN_RATE: '120' } });
    await server.createUser({ account: 'template' });
    await server.sql(`insert into user_account (account, tenant_id, password_hash, name, real_name)
      select 'user' || n, tenant_id, password_hash, name, real_name from user_account, generate_series(1, ${accounts}) n where account = 'template'`);
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const address = server.app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(async () => {
    await server?.stop();
    await drop?.();
  });

  /** Sends other requests at a constant rate until the work is done, and returns their results. */
  async function otherRequestsDuring(headers: Record<string, string>, work: () => Promise<unknown>): Promise<Result[]> {
    const flag = new SharedArrayBuffer(4);
    const request = { path: '/api/blade-system/param/list', headers };
    const traffic = runSender({ kind: 'normal', port, request, intervalMs: 1000 / otherRequestsPerSecond, flag });
    await work();
    Atomics.store(new Int32Array(flag), 0, 1);
    return traffic;
  }

  test('ten thousand sign-ins do not slow down other requests, and none gets a wrong result', async () => {
    const headers = await server.signIn();
    // Every second sign-in has a wrong password. No account gets more than three of them, and each sign-in has its own address.
    const requests = Array.from({ length: signIns }, (_, index) => ({
      path: '/api/things-auth/oauth/token',
      headers: { ...clientHeaders, 'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` },
      body: JSON.stringify({ grant_type: 'password', username: `user${(index % accounts) + 1}`, password: index % 2 ? 'wrong' : password }),
    }));
    const baselineWait = () => new Promise((resolve) => setTimeout(resolve, baselineSeconds * 1000));
    await otherRequestsDuring(headers, () => new Promise((resolve) => setTimeout(resolve, 3000)));
    const baseline = await otherRequestsDuring(headers, baselineWait);
    let flood: Result[] = [];
    const start = performance.now();
    const underLoad = await otherRequestsDuring(headers, async () => {
      flood = await runSender({ kind: 'flood', port, requests, intervalMs: 1000 / signInsPerSecond });
    });
    const elapsedSeconds = (performance.now() - start) / 1000;

    const count = (predicate: (result: Result, index: number) => boolean) => flood.filter(predicate).length;
    const granted = count(({ status }, index) => status === 200 && index % 2 === 0);
    const refused = count(({ status, text }, index) => status === 400 && index % 2 === 1 && text.includes('用户名或密码错误'));
    const deferred = count(({ status }) => status === 503);
    expect({ wrong: signIns - granted - refused - deferred, lost: [...baseline, ...underLoad].filter(({ status }) => status !== 200).length }).toEqual({
      wrong: 0,
      lost: 0,
    });
    const [before, during] = [p95(baseline), p95(underLoad)];
    report({
      section,
      what: `${signIns.toLocaleString('en')} sign-ins in ${elapsedSeconds.toFixed(0)} s: p95 of other requests`,
      figure: `${milliseconds(during)}, ${times(during / before)} that of a quiet server (${milliseconds(before)})`,
      bound: '2 ×',
      isMet: during <= before * 2,
      at: `${signInsPerSecond} sign-ins begin a second, ${otherRequestsPerSecond} requests a second beside them (${underLoad.length}); ${granted} granted, ${refused} refused, ${deferred} told to retry later, none wrong`,
    });
  });
});

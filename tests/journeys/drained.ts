import { Agent, type RequestOptions, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { Product } from './product.ts';

interface Drained {
  readonly exitCode: number | null;
  readonly answered: number;
  readonly failures: readonly string[];
  /** Number of requests that were sent after the signal. */
  readonly sentAfter: number;
}

type Load = Pick<RequestOptions, 'method' | 'headers'> & { readonly path: string; readonly body?: string };

const betweenMs = 10;
/** Number of requests that must have been answered in the second before the signal. */
const leastRate = 80;
/** Limits the requests in flight: on a machine that is busy with other tests, more of them would only measure its load. */
const maxInFlight = 64;
const reads = ['/api/blade-system/param/list?size=20', '/api/blade-desk/inbox/unread', '/api/things-system/preference/list'];

/** Returns the request with this number: seven in ten are calls with a token that query the database, one of which writes. */
function loadOf(count: number, headers: Record<string, string>): Load {
  const turn = count % 10;
  if (turn === 0) {
    const body = JSON.stringify({ key: `drain-${(count / 10) % 5}`, version: 1, value: { count } });
    return { method: 'POST', path: '/api/things-system/preference/submit', headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  return turn < 7 ? { path: reads[turn % reads.length] as string, headers } : { path: '/health/live' };
}

/**
 * Stops a server by SIGTERM to its supervisor under a hundred requests per second, half of them over keep-alive connections. Like a load balancer, it polls
 * readiness every 200 ms and sends nothing after the third refusal.
 */
export async function stopUnderLoad(product: Product): Promise<Drained> {
  await product.start();
  const { headers } = await product.signIn();
  const kept = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const answers: number[] = [];
  const sent: Promise<void>[] = [];
  let refusals = 0;
  const isSending = () => refusals < 3;
  const send = async (count: number) => {
    const load = loadOf(count, headers);
    const status = await statusOf(product.address, load, count % 2 === 0 ? kept : new Agent({ keepAlive: false }));
    answers.push(performance.now());
    if (status !== 200) failures.push(`${load.path} ${status}`);
  };
  const balancer = async () => {
    while (isSending()) {
      const isReady = (await statusOf(product.address, { path: '/health/ready' }, new Agent({ keepAlive: false }))) === 200;
      refusals = isReady ? 0 : refusals + 1;
      await pause(200);
    }
  };
  const load = async () => {
    for (let due = performance.now(); isSending(); await pause(betweenMs)) {
      for (; due <= performance.now(); due += betweenMs) if (sent.length - answers.length < maxInFlight) sent.push(send(sent.length));
    }
  };
  const rate = () => answers.filter((at) => at > performance.now() - 1000).length;
  const running = Promise.all([balancer(), load()]);
  try {
    await expect.poll(rate, { timeout: 60_000, intervals: [100] }).toBeGreaterThanOrEqual(leastRate);
    const sentBefore = sent.length;
    const exitCode = await product.stop();
    await running;
    await Promise.all(sent);
    return { exitCode, answered: answers.length, failures, sentAfter: sent.length - sentBefore };
  } finally {
    refusals = 3;
    kept.destroy();
  }
}

function statusOf(address: string, { path, body, ...options }: Load, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    request(address + path, { ...options, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end(body);
  });
}

import { afterEach, beforeEach, describe, expect, rs, test } from '@rstest/core';
import { Connection, type ConnectionState } from '../../../../src/kernel/platform/connection/connection.ts';
import { ConnectivityTransport } from '../../../../src/kernel/platform/connection/connectivity-transport.ts';
import type { Transport, WireRequest, WireResponse } from '../../../../src/kernel/platform/http/transport.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';

const asked: WireRequest = { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal };

let isBack = false;
let answer: (request: WireRequest) => Promise<WireResponse>;
let connection: Connection;
let transport: ConnectivityTransport;
let seen: ConnectionState[];

beforeEach(() => {
  rs.useFakeTimers();
  isBack = false;
  seen = [];
  connection = new Connection(async () => isBack);
  connection.state$.subscribe((state) => seen.push(state));
  transport = new ConnectivityTransport({ request: (request: WireRequest) => answer(request) } as unknown as Transport, connection);
});
afterEach(() => {
  connection.dispose();
  rs.useRealTimers();
});

describe('the connection', () => {
  test('is lost with the first unanswered request, and restored by a check every five seconds', async () => {
    answer = () => Promise.reject(new TransportError('unreachable'));
    await expect(transport.request(asked)).rejects.toThrow(TransportError);
    expect(seen).toEqual(['good', 'lost']);
    await rs.advanceTimersByTimeAsync(5100);
    expect(seen).toEqual(['good', 'lost']);
    isBack = true;
    await rs.advanceTimersByTimeAsync(5100);
    expect(seen).toEqual(['good', 'lost', 'good']);
  });

  test('does not probe once it is disposed, even if a request ends unanswered afterwards', async () => {
    let probes = 0;
    const ended = new Connection(async () => {
      probes += 1;
      return false;
    });
    const endRequest = ended.trackRequest();
    ended.dispose();
    endRequest(false);
    await rs.advanceTimersByTimeAsync(20_000);
    expect(probes).toBe(0);
  });

  test('is found by any request that is answered', async () => {
    answer = () => Promise.reject(new TransportError('timeout'));
    await transport.request(asked).catch(() => undefined);
    answer = async () => ({ status: 500, body: {} });
    await transport.request(asked);
    expect(seen).toEqual(['good', 'lost', 'good']);
  });

  test('is slow while a request takes longer than four seconds, and no longer', async () => {
    let finish: (response: WireResponse) => void = () => undefined;
    answer = () => new Promise((resolve) => (finish = resolve));
    const waiting = transport.request(asked);
    await rs.advanceTimersByTimeAsync(3900);
    expect(connection.state).toBe('good');
    await rs.advanceTimersByTimeAsync(200);
    expect(connection.state).toBe('slow');
    finish({ status: 200, body: {} });
    await waiting;
    expect(connection.state).toBe('good');
  });

  test('ignores requests that have been cancelled', async () => {
    answer = () => Promise.reject(new TransportError('cancelled'));
    await transport.request(asked).catch(() => undefined);
    expect(seen).toEqual(['good']);
  });

  test('leaves no timer behind', async () => {
    answer = () => Promise.reject(new TransportError('unreachable'));
    await transport.request(asked).catch(() => undefined);
    connection.dispose();
    expect(rs.getTimerCount()).toBe(0);
  });
});

import { afterEach, beforeEach, describe, expect, rs, test } from '@rstest/core';
import { Connection, type ConnectionState } from '../../../../src/kernel/platform/connection/connection.ts';
import { ConnectivityTransport } from '../../../../src/kernel/platform/connection/connectivity-transport.ts';
import type { Transport, WireRequest, WireResponse } from '../../../../src/kernel/platform/http/transport.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';

const request: WireRequest = { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal };

let isReachable = false;
let answer: (request: WireRequest) => Promise<WireResponse>;
let connection: Connection;
let transport: ConnectivityTransport;
let states: ConnectionState[];

beforeEach(() => {
  rs.useFakeTimers();
  isReachable = false;
  states = [];
  connection = new Connection(async () => isReachable);
  connection.state$.subscribe((state) => states.push(state));
  transport = new ConnectivityTransport({ request: (sent: WireRequest) => answer(sent) } as unknown as Transport, connection);
});
afterEach(() => {
  connection.dispose();
  rs.useRealTimers();
});

describe('the connection', () => {
  test('is lost with the first unanswered request, and restored by a check every five seconds', async () => {
    answer = () => Promise.reject(new TransportError('unreachable'));
    await expect(transport.request(request)).rejects.toThrow(TransportError);
    expect(states).toEqual(['good', 'lost']);
    await rs.advanceTimersByTimeAsync(5100);
    expect(states).toEqual(['good', 'lost']);
    isReachable = true;
    await rs.advanceTimersByTimeAsync(5100);
    expect(states).toEqual(['good', 'lost', 'good']);
  });

  test('does not probe once it is disposed, even if a request ends unanswered afterwards', async () => {
    let probes = 0;
    const disposed = new Connection(async () => {
      probes += 1;
      return false;
    });
    const endRequest = disposed.trackRequest();
    disposed.dispose();
    endRequest(false);
    await rs.advanceTimersByTimeAsync(20_000);
    expect(probes).toBe(0);
  });

  test('is restored by any answered request', async () => {
    answer = () => Promise.reject(new TransportError('timeout'));
    await transport.request(request).catch(() => undefined);
    answer = async () => ({ status: 500, body: {} });
    await transport.request(request);
    expect(states).toEqual(['good', 'lost', 'good']);
  });

  test('is slow from four seconds into a request until its answer', async () => {
    let finish: (response: WireResponse) => void = () => undefined;
    answer = () => new Promise((resolve) => (finish = resolve));
    const waiting = transport.request(request);
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
    await transport.request(request).catch(() => undefined);
    expect(states).toEqual(['good']);
  });

  test('leaves no timer behind', async () => {
    answer = () => Promise.reject(new TransportError('unreachable'));
    await transport.request(request).catch(() => undefined);
    connection.dispose();
    expect(rs.getTimerCount()).toBe(0);
  });
});

import { createParser } from 'eventsource-parser';
import { BehaviorSubject, firstValueFrom, fromEvent, race, switchMap, takeUntil, timer } from 'rxjs';
import { liveEvents, liveHeartbeatMs } from '#shared/live';
import type { Bus } from '../../base/bus/bus.ts';
import { SessionLocked } from '../http/http.ts';
import type { Transport, WireStream } from '../http/transport.ts';
import type { Session } from '../session/session.ts';
import type { LiveMessage } from './live-message.ts';

/** Dependencies of `readLive`. */
export interface LiveReaderDeps {
  readonly transport: Transport;
  readonly session: Session;
  readonly bus: Bus;
  /** Headers that name the client; empty where the deployment turns them off. */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** Milliseconds before the first reconnect; doubles with each failure up to half a minute. */
  readonly initialDelayMs?: number;
  /** Returns the id to resume after, '' for none. */
  readonly lastEventId: () => string;
  /** Time, as of `Date.now()`, at which the listener began to load the data that it shows. */
  readonly listeningSince: number;
  readonly onMessage: (message: LiveMessage) => void;
  readonly signal: AbortSignal;
}

const maxDelayMs = 30_000;
/** Allowance for a request for data that reached the server before the request for the stream. */
const toleranceMs = 2000;
/** Silence in milliseconds after which a connection counts as dead. */
const timeoutMs = liveHeartbeatMs * 3;

type LiveReadResult = 'received' | 'failed' | 'ended';

/** Reads the server's live events until the signal aborts or the session ends; reconnects whenever the stream breaks. */
export async function readLive(deps: LiveReaderDeps): Promise<void> {
  const { signal, initialDelayMs = 1000 } = deps;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const result = await readOnce(deps).catch((): LiveReadResult => 'failed');
    if (result === 'ended') return;
    if (result === 'received') failures = 0;
    const delayMs = Math.min(maxDelayMs, initialDelayMs * 2 ** failures);
    await pause(delayMs * (0.5 + Math.random() / 2), signal);
  }
}

async function readOnce(deps: LiveReaderDeps): Promise<LiveReadResult> {
  const { transport, session, bus, clientHeaders, lastEventId, listeningSince, signal } = deps;
  const token = session.accessToken;
  if (token === '') return 'ended';
  const attempt = new AbortController();
  const data$ = new BehaviorSubject<void>(undefined);
  const watchdog = data$
    .pipe(
      switchMap(() => timer(timeoutMs)),
      takeUntil(fromEvent(signal, 'abort')),
    )
    .subscribe(() => attempt.abort());
  try {
    const headers = {
      ...clientHeaders,
      Accept: 'text/event-stream',
      'Things-Auth': `bearer ${token}`,
      ...(lastEventId() === '' ? { 'Live-Since': String(Date.now() - listeningSince + toleranceMs) } : { 'Last-Event-ID': lastEventId() }),
    };
    const stream = await transport.open({ method: 'GET', path: liveEvents.path, headers, signal: AbortSignal.any([signal, attempt.signal]) });
    if (stream.status === 200) return await readEvents(stream, deps, () => data$.next());
    await stream.body?.cancel();
    if (stream.status === 423) bus.emit(SessionLocked, { path: liveEvents.path });
    return stream.status === 401 ? await onUnauthorized(session, token) : 'failed';
  } finally {
    watchdog.unsubscribe();
  }
}

/** After a 401, reconnects with a newer or renewed token; without one the session has ended. */
async function onUnauthorized(session: Session, rejectedToken: string): Promise<LiveReadResult> {
  if (session.accessToken !== rejectedToken || (await session.refresh())) return 'failed';
  if (session.accessToken === rejectedToken) session.end('refused');
  return 'ended';
}

async function readEvents({ body }: WireStream, { onMessage }: LiveReaderDeps, onData: () => void): Promise<LiveReadResult> {
  let result: LiveReadResult = 'failed';
  const parser = createParser({
    onEvent: ({ id, event = '', data }) => {
      result = 'received';
      onMessage({ id, name: event, payload: JSON.parse(data) });
    },
  });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      onData();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  } catch {
    // The stream broke off; the events received so far count.
  }
  return result;
}

/** Waits; ends early when the browser is back online or the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await firstValueFrom(race(timer(milliseconds), fromEvent(window, 'online'), fromEvent(signal, 'abort')));
}

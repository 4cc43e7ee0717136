import { maxReportedSpans, type ReportedSpan, reportSpans } from '#shared/traces';
import { Transport, type WireRequest, type WireResponse, type WireStream } from './transport.ts';

/** Time between two reports, and time-out of each. */
const reportMs = 5000;
/** Time without a request after which a page counts as loaded. */
const idleMs = 1000;
/** Age at which the view of a page ends, although it still sends requests. */
const maxViewMs = 15_000;
/** Limit of spans that wait for a report: the sign-in page cannot send one yet. */
const maxPendingSpans = 200;

/** The view of a page, until its requests are answered. */
interface PageView {
  readonly page: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly start: number;
  pending: number;
  /** Time of the last answer. */
  end: number;
  isSampled: boolean;
}

/**
 * Sends `traceparent` with each request and reports spans of requests and of page views whose traces the server has sampled, as `traceresponse` shows. Requests within a
 * view belong to its trace; later ones begin traces of their own.
 */
export class TracedTransport extends Transport {
  private view: PageView | undefined = { ...this.newView(), start: performance.timeOrigin };
  private page = location.pathname;
  private pendingSpans: ReportedSpan[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Headers of the latest request of a signed-in user, with which spans are reported. */
  private headers: WireRequest['headers'] | undefined;

  constructor(private readonly inner: Transport) {
    super();
    addEventListener('pagehide', () => void this.report());
  }

  async request(request: WireRequest): Promise<WireResponse> {
    const view = this.currentView();
    const traceId = view?.traceId ?? randomHex(16);
    const spanId = randomHex(8);
    const start = performance.timeOrigin + performance.now();
    if (request.headers['Things-Auth']) this.headers = request.headers;
    if (view) view.pending += 1;
    let response: WireResponse | undefined;
    try {
      response = await this.inner.request({ ...request, headers: { ...request.headers, traceparent: `00-${traceId}-${spanId}-00` } });
      return response;
    } finally {
      const end = performance.timeOrigin + performance.now();
      const isSampled = response?.traceresponse?.endsWith('-01') === true;
      if (view) this.answered(view, end, isSampled);
      const { path } = request;
      const parent = view ? { parentId: view.spanId } : {};
      if (isSampled) this.add({ traceId, spanId, ...parent, start, milliseconds: end - start, page: this.page, path, status: response?.status ?? 0 });
    }
  }

  open(request: WireRequest): Promise<WireStream> {
    return this.inner.open(request);
  }

  /** Returns the view to which a request belongs: a new one after the address has changed, none once it has ended. */
  private currentView(): PageView | undefined {
    const { pathname } = location;
    if (pathname !== this.page) {
      this.page = pathname;
      this.endView(this.view);
      this.view = this.newView();
    }
    return this.view;
  }

  private newView(): PageView {
    const now = performance.timeOrigin + performance.now();
    return { page: location.pathname, traceId: randomHex(16), spanId: randomHex(8), start: now, pending: 0, end: now, isSampled: false };
  }

  private answered(view: PageView, end: number, isSampled: boolean): void {
    view.pending -= 1;
    view.end = end;
    view.isSampled ||= isSampled;
    const isOver = () => view.pending === 0 || end - view.start > maxViewMs;
    setTimeout(() => {
      if (this.view === view && view.end === end && isOver()) this.endView(view);
    }, idleMs);
  }

  private endView(view: PageView | undefined): void {
    if (this.view === view) this.view = undefined;
    if (!view?.isSampled) return;
    const { page, traceId, spanId, start, end } = view;
    this.add({ page, traceId, spanId, start, milliseconds: Math.min(end - start, 600_000) });
  }

  private add(span: ReportedSpan): void {
    if (this.pendingSpans.length >= maxPendingSpans) return;
    this.pendingSpans.push(span);
    this.timer ??= setTimeout(() => void this.report(), reportMs);
  }

  /** Reports the pending spans. Those of a failed report are lost, because traces are samples anyway. */
  private async report(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.headers || this.pendingSpans.length === 0) return;
    const spans = this.pendingSpans.splice(0, maxReportedSpans);
    const { path, method } = reportSpans;
    // The key of an earlier write must not be sent again.
    const { 'Idempotency-Key': _, ...headers } = this.headers;
    await this.inner
      .request({ method, path, headers, body: { json: { spans } }, signal: AbortSignal.timeout(reportMs), keepAlive: true })
      .catch(() => undefined);
    if (this.pendingSpans.length > 0) this.timer ??= setTimeout(() => void this.report(), reportMs);
  }
}

const randomHex = (bytes: number): string => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

import { createHmac, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Attributes, Context, Span as OtelSpan, SpanKind, Tracer } from '@opentelemetry/api';
import type { SpanExporter, TracerConfig } from '@opentelemetry/sdk-trace-base';
import { LRUCache } from 'lru-cache';
import type { TracesConfiguration } from '../../base/configuration/traces.ts';
import type { Span, SpanAttributes } from '../../base/work.ts';
import { recordEgress } from './egress-spans.ts';
import { type DroppedSpans, maxWaiting, SpanBatches } from './span-batches.ts';

/** Position in a trace that another program began. */
export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  /** True if the caller is trusted and has sampled the trace. */
  readonly isSampled: boolean;
}

/** A finished span of a browser. */
export interface BrowserSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'client' | 'internal';
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly isError: boolean;
  readonly attributes: SpanAttributes;
}

/** Traces of this server. */
export interface Traces {
  /** Begins a span of this server: within the trace of `parent`, or a new trace. Undefined if the trace is not sampled. */
  begin(name: string, kind: 'server' | 'consumer', attributes: SpanAttributes, parent?: RemoteParent): Span | undefined;
  /** Exports spans of a browser whose traces are sampled. */
  record(spans: readonly BrowserSpan[], attributes: SpanAttributes): void;
  /** Sends what waits, for at most three seconds, and stops. */
  stop(): Promise<void>;
}

interface TracesDeps extends DroppedSpans {
  /** Key of the deployment, so that its servers sample the same traces and no caller can choose an id that is sampled. */
  readonly key: Uint8Array;
}

const stopMs = 3000;
const exportTimeoutMs = 5000;
/** Requests that one trace of an untrusted caller may contain, so that a sampled trace id has no value for an attacker. */
const maxRequestsPerTrace = 100;
const attributeLength = 4096;

/** Starts the OpenTelemetry SDK, which is loaded by this call only. */
export async function openTraces(configuration: TracesConfiguration, deps: TracesDeps): Promise<Traces> {
  const [api, sdk, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
  ]);
  const limits = { maxQueueSize: maxWaiting, maxExportBatchSize: 512, scheduledDelayMillis: 2000, exportTimeoutMillis: exportTimeoutMs };
  const batches = new SpanBatches(await exporterOf(configuration), deps, (exporter) => new sdk.BatchSpanProcessor(exporter, limits));
  const build = process.env.MARQUEE_BUILD;
  const tracerOf = (about: Attributes, ids: Pick<TracerConfig, 'idGenerator'> = {}) =>
    new sdk.BasicTracerProvider({
      resource: resourceFromAttributes({ ...about, ...(build ? { 'service.version': build } : {}) }),
      spanProcessors: [batches],
      // Spans are only created in sampled traces, so the SDK records all of them.
      sampler: new sdk.AlwaysOnSampler(),
      spanLimits: { attributeValueLengthLimit: attributeLength },
      ...ids,
    }).getTracer('marquee');
  const { serviceName, ratio } = configuration;
  const nextIds = { traceId: '', spanId: '' };
  const own = tracerOf({ 'service.name': serviceName, 'service.instance.id': `${hostname()}:${process.pid}` });
  const console = tracerOf(
    { 'service.name': `${serviceName}-console` },
    { idGenerator: { generateTraceId: () => nextIds.traceId, generateSpanId: () => nextIds.spanId } },
  );
  return new OpenTelemetryTraces({ api, own, console, nextIds, batches, sampled: sampledTraces(ratio, deps.key) });
}

interface TracesParts {
  readonly api: typeof import('@opentelemetry/api');
  readonly own: Tracer;
  /** Tracer of the consoles' spans, each with the ids in `nextIds`. */
  readonly console: Tracer;
  readonly nextIds: { traceId: string; spanId: string };
  readonly batches: SpanBatches;
  readonly sampled: ReturnType<typeof sampledTraces>;
}

class OpenTelemetryTraces implements Traces {
  private readonly stopEgress = recordEgress();
  private readonly kinds: Readonly<Record<'server' | 'consumer' | 'client' | 'internal', SpanKind>>;

  constructor(private readonly parts: TracesParts) {
    const { SERVER: server, CONSUMER: consumer, CLIENT: client, INTERNAL: internal } = parts.api.SpanKind;
    this.kinds = { server, consumer, client, internal };
  }

  begin(name: string, kind: 'server' | 'consumer', attributes: SpanAttributes, parent?: RemoteParent): Span | undefined {
    const { sampled, own, api } = this.parts;
    if (!(parent ? parent.isSampled || sampled.continues(parent.traceId) : sampled.begins())) return undefined;
    const context = parent ? this.remote(parent.traceId, parent.spanId) : api.ROOT_CONTEXT;
    return this.recorded(own.startSpan(name, { kind: this.kinds[kind], attributes: attributes as Attributes }, context));
  }

  record(spans: readonly BrowserSpan[], common: SpanAttributes): void {
    const { sampled, console, nextIds, api } = this.parts;
    for (const { traceId, spanId, parentId, name, kind, start, end, isError, attributes } of spans) {
      if (!sampled.includes(traceId)) continue;
      Object.assign(nextIds, { traceId, spanId });
      const options = { kind: this.kinds[kind], startTime: start, attributes: { ...attributes, ...common } as Attributes };
      const span = console.startSpan(name, options, parentId ? this.remote(traceId, parentId) : api.ROOT_CONTEXT);
      if (isError) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(end);
    }
  }

  async stop(): Promise<void> {
    const { batches } = this.parts;
    this.stopEgress();
    await Promise.race([batches.shutdown().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, stopMs).unref())]);
    batches.reportDropped();
  }

  private recorded(span: OtelSpan): Span {
    const { own, api } = this.parts;
    return {
      ...span.spanContext(),
      child: (name, kind, attributes = {}) =>
        this.recorded(own.startSpan(name, { kind: this.kinds[kind], attributes: attributes as Attributes }, api.trace.setSpan(api.ROOT_CONTEXT, span))),
      set: (attributes) => void span.setAttributes(attributes as Attributes),
      end: (error) => {
        if (!span.isRecording()) return;
        if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', errorType(error));
        span.end();
      },
    };
  }

  private remote(traceId: string, spanId: string): Context {
    const { trace, ROOT_CONTEXT, TraceFlags } = this.parts.api;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  }
}

async function exporterOf({ endpoint, headers, protocol }: TracesConfiguration): Promise<SpanExporter> {
  const options = { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: { ...headers }, timeoutMillis: exportTimeoutMs };
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(options);
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(options);
}

/** Decides which traces are sampled: by a keyed hash of their id, which callers cannot compute. */
function sampledTraces(ratio: number, key: Uint8Array) {
  const requests = new LRUCache<string, number>({ max: 10_000 });
  const includes = (traceId: string) => ratio >= 1 || (ratio > 0 && createHmac('sha256', key).update(traceId).digest().readUIntBE(0, 6) < ratio * 2 ** 48);
  return {
    includes,
    begins: () => ratio >= 1 || (ratio > 0 && randomBytes(6).readUIntBE(0, 6) < ratio * 2 ** 48),
    continues(traceId: string): boolean {
      if (!includes(traceId)) return false;
      if (ratio >= 1) return true;
      const count = (requests.get(traceId) ?? 0) + 1;
      requests.set(traceId, count);
      return count <= maxRequestsPerTrace;
    },
  };
}

/** Returns the class of an error, or its SQLSTATE or system code. */
function errorType(error: unknown): string {
  const { name = 'Error', code, cause } = (error ?? {}) as Partial<Error & { code: unknown }>;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) return code;
  return cause === undefined ? name : errorType(cause);
}

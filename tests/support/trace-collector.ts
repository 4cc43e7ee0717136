import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from '@rstest/core';

/** A span as OTLP carries it, with its service and its attributes by name. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector on a spare port that takes OTLP over HTTP as JSON. */
export interface TraceCollector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Requests as they arrived. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  stop(): Promise<void>;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
}
type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[];

/** Names of the messages and fields are those of `ExportTraceServiceRequest` in the protocol's JSON mapping. */
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: OtlpAttributes;
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const valuesOf = (attributes: OtlpAttributes): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [key, stringValue ?? Number(intValue ?? doubleValue)]));

/** Reads the spans of a request in JSON. */
function spansOf(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString('utf8')) as OtlpRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind,
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        status: span.status?.code ?? 0,
        attributes: valuesOf(span.attributes),
      })),
    ),
  );
}

/** Starts a collector; `answer` returns the status of each reply, or never resolves. */
export async function openTraceCollector(answer: () => number | Promise<number> = () => 200): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const requests: TraceCollector['requests'] = [];
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const body = Buffer.concat(parts);
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (request.headers['content-type'] === 'application/json') spans.push(...spansOf(body));
      reply.writeHead(await answer(), { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a collector that stops with the test. */
export async function traceCollector(answer?: () => number | Promise<number>): Promise<TraceCollector> {
  const collector = await openTraceCollector(answer);
  onTestFinished(() => collector.stop());
  return collector;
}

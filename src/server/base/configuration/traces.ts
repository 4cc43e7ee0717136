import type { EnvironmentReader } from './configuration.ts';

/** Destination and sampling of traces. */
export interface TracesConfiguration {
  /** Base address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly serviceName: string;
  /** Headers of requests to the collector, such as its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fraction of the traces that is recorded, from 0 to 1. */
  readonly ratio: number;
  /** Addresses and networks of callers whose sampled traces are recorded regardless of the ratio, separated by commas. */
  readonly trustedCallers: string;
}

/** Reads and checks the settings of traces; returns undefined if no collector is set, so that no traces are recorded. */
export function readTraces(read: EnvironmentReader): TracesConfiguration | undefined {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['https:', 'http:']);
  const traces = {
    protocol: read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json']),
    serviceName: read.text('OTEL_SERVICE_NAME') ?? 'marquee',
    headers: headersOf(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ratio: fractionOf(read, 'OTEL_TRACES_SAMPLER_ARG', 1),
    trustedCallers: read.networks('TRACE_CALLERS'),
  };
  return endpoint === undefined ? undefined : { endpoint, ...traces };
}

/** Reads `name=value` pairs separated by commas, with percent-encoded values, as OpenTelemetry writes headers. */
function headersOf(read: EnvironmentReader, name: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of (read.text(name) ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const [, key, value] = /^\s*([\w.-]+)\s*=\s*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)\s*$/.exec(pair) ?? [];
    if (key === undefined || value === undefined) read.problems.push(`${name} must be headers like name=value, separated by commas.`);
    else headers[key] = percentDecode(value);
  }
  return headers;
}

function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function fractionOf(read: EnvironmentReader, name: string, preset: number): number {
  const text = read.text(name);
  if (text === undefined) return preset;
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value <= 1) return value;
  read.problems.push(`${name} is "${text}", but must be a number from 0 to 1.`);
  return preset;
}

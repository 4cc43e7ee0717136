import type { Static } from 'typebox';
import * as Type from 'typebox';
import { NoContent, post } from '../contract/contract.ts';

/** Maximum number of spans of one report. */
export const maxReportedSpans = 64;

const hex = (length: number) => Type.Unsafe<string>({ type: 'string', pattern: `^(?!0+$)[0-9a-f]{${length}}$` });

const ReportedSpan = Type.Object({
  traceId: hex(32),
  spanId: hex(16),
  /** Span of the page view in which a request was sent. */
  parentId: Type.Optional(hex(16)),
  /** Start in milliseconds since 1970. */
  start: Type.Unsafe<number>({ type: 'number', minimum: 0, maximum: 1e14 }),
  milliseconds: Type.Unsafe<number>({ type: 'number', minimum: 0, maximum: 600_000 }),
  /** Path of the console's page in which the span began. */
  page: Type.Unsafe<string>({ type: 'string', maxLength: 255 }),
  /** Path of the call for a request; absent for the view of a page. */
  path: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 255 })),
  /** Status of the answer; 0 without one. */
  status: Type.Optional(Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum: 599 })),
});

/** A finished span of a console: the view of a page, or a request. */
export type ReportedSpan = Static<typeof ReportedSpan>;

/** Reports finished spans of the caller's console, which the server passes on to the collector of traces. Served only by a deployment that records traces. */
export const reportSpans = post('/api/telemetry/spans', {
  title: ['上报链路追踪', 'Report spans'],
  access: 'signedIn',
  input: Type.Object({ spans: Type.Unsafe<ReportedSpan[]>({ ...Type.Array(ReportedSpan), maxItems: maxReportedSpans }) }),
  reply: NoContent,
});

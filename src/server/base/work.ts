import { ContextVariable } from './context-variable.ts';

/** Attributes of a span; undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** A sampled span of a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Begins a span within this one: `client` for a call to another system. */
  child(name: string, kind: 'client' | 'internal', attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Ends the span; later calls have no effect. With an error, the span fails and names its class, never its message, which may contain values. */
  end(error?: unknown): void;
}

/** Fields of log lines by name. */
export type LogFields = Record<string, string | undefined>;

/** Async context of one request or background run, which all code that it calls can read: fields of its log lines, and its span. */
export interface WorkContext {
  /** Fields of each log line that is written in this context; the user is added once known. */
  readonly fields: LogFields;
  /** Span to which further spans are added; undefined if the request or run is not traced. */
  readonly span: Span | undefined;
}

/** The work that the current code belongs to; undefined outside of requests and background runs. */
const currentWork = new ContextVariable<WorkContext | undefined>();

/** Runs code in the context of `work`: its log lines have the fields of `work`, and its spans are children of the span of `work`. */
export const runWork = <Result>(work: WorkContext, run: () => Result): Result => currentWork.run(work, run);

/** Runs code outside of the current work, for timers and signals: they outlive the request that sets them up and must not log its fields. */
export const outsideWork = <Result>(run: () => Result): Result => (currentWork.get() ? currentWork.run(undefined, run) : run());

/** Returns the span of the current work; undefined if it is not traced. */
export const currentSpan = (): Span | undefined => currentWork.get()?.span;

/** Returns the log fields of the current work, with trace and span. */
export function logFields(): LogFields {
  const work = currentWork.get();
  if (!work) return {};
  return work.span ? { ...work.fields, trace: work.span.traceId, span: work.span.spanId } : work.fields;
}

/** Runs code in a span within the current one; without one, only the code runs. */
export async function inSpan<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const work = currentWork.get();
  if (!work?.span) return run();
  const span = work.span.child(name, 'internal');
  return endSpanAfter(span, () => currentWork.run({ fields: work.fields, span }, run));
}

/** Ends a span with the code that it describes. */
export async function endSpanAfter<Result>(span: Span | undefined, run: () => Promise<Result>): Promise<Result> {
  try {
    const result = await run();
    span?.end();
    return result;
  } catch (error) {
    span?.end(error);
    throw error;
  }
}

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

/** The request or the background run that the current code works for. */
export interface Work {
  /** Fields of its log lines; the user is added once known. */
  readonly fields: LogFields;
  /** Undefined if the work is not traced. */
  readonly span: Span | undefined;
}

const works = new ContextVariable<Work | undefined>();

/** Runs code on behalf of `work`, with its log fields and its span. */
export const runWork = <Result>(work: Work, run: () => Result): Result => works.run(work, run);

/** Runs code that belongs to no request, although one may have caused it: timers and signals outlive their cause. */
export const outsideWork = <Result>(run: () => Result): Result => (works.get() ? works.run(undefined, run) : run());

/** Returns the span of the current work; undefined if it is not traced. */
export const currentSpan = (): Span | undefined => works.get()?.span;

/** Returns the log fields of the current work, with trace and span. */
export function logFields(): LogFields {
  const work = works.get();
  if (!work) return {};
  return work.span ? { ...work.fields, trace: work.span.traceId, span: work.span.spanId } : work.fields;
}

/** Runs code in a span within the current one; without one, only the code runs. */
export async function inSpan<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const work = works.get();
  if (!work?.span) return run();
  const span = work.span.child(name, 'internal');
  return endSpanAfter(span, () => works.run({ fields: work.fields, span }, run));
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

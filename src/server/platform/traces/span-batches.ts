import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../../base/log.ts';
import { outsideWork } from '../../base/work.ts';

/** Spans that wait for their export; further ones are dropped. */
export const maxWaiting = 4096;

const minuteMs = 60_000;

/** Receives what becomes of spans that are lost. */
export interface DroppedSpans {
  readonly log: Log;
  /** Counts spans that are lost because the collector does not take them. */
  onDropped(spans: number): void;
}

/** Passes spans to the SDK's batches, counts those that are lost, and logs them once a minute. */
export class SpanBatches implements SpanProcessor {
  private readonly batches: SpanProcessor;
  private waiting = 0;
  private dropped = 0;
  private reason: string | undefined;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    exporter: SpanExporter,
    private readonly deps: DroppedSpans,
    batch: (exporter: SpanExporter) => SpanProcessor,
  ) {
    this.batches = batch({
      export: (spans, done) => {
        this.waiting -= spans.length;
        // Outside of any request, so that requests to the collector are not traced themselves.
        outsideWork(() =>
          exporter.export(spans, (result) => {
            if (result.code !== 0) this.drop(spans.length, result.error?.message);
            done(result);
          }),
        );
      },
      shutdown: () => exporter.shutdown(),
    });
  }

  onStart(span: Span, context: Context): void {
    this.batches.onStart(span, context);
  }

  onEnd(span: ReadableSpan): void {
    if (this.waiting >= maxWaiting) {
      this.drop(1, 'too many spans wait for their export');
      return;
    }
    this.waiting += 1;
    // A timer of the batches outlives the request that sets it.
    outsideWork(() => this.batches.onEnd(span));
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.batches.shutdown();
  }

  reportDropped(): void {
    if (this.dropped === 0) return;
    this.deps.log.warn({ spans: this.dropped, reason: this.reason }, 'spans were dropped because the collector of traces did not take them');
    this.dropped = 0;
    this.reportedAt = Date.now();
  }

  private drop(spans: number, reason: string | undefined): void {
    this.deps.onDropped(spans);
    this.dropped += spans;
    this.reason = reason;
    if (Date.now() - this.reportedAt >= minuteMs) this.reportDropped();
  }
}

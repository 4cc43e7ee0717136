import type { CDPSession } from '@playwright/test';

/** Frames of a scroll, as Chromium's own reporter classifies them. */
export interface Frames {
  readonly count: number;
  /** Frames that were not shown although they should have been. */
  readonly dropped: number;
  /** Frames that were shown before all of their areas were drawn. */
  readonly incomplete: number;
}

interface TracedFrame {
  readonly name: string;
  readonly args?: { readonly frame_reporter?: { readonly state: string; readonly scroll_state: string; readonly has_missing_content: boolean } };
}

/** Traces the browser while it scrolls, and counts the frames. */
export async function framesDuring(browser: CDPSession, scroll: () => Promise<unknown>): Promise<Frames> {
  const events: TracedFrame[] = [];
  const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as TracedFrame[]));
  browser.on('Tracing.dataCollected', collect);
  await browser.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['cc', 'benchmark'] } });
  await scroll();
  const complete = new Promise((resolve) => browser.once('Tracing.tracingComplete', resolve));
  await browser.send('Tracing.end');
  await complete;
  browser.off('Tracing.dataCollected', collect);
  const reports = events.flatMap(({ name, args }) => (name === 'PipelineReporter' && args?.frame_reporter ? [args.frame_reporter] : []));
  const frames = reports.filter(({ scroll_state, state }) => scroll_state !== 'SCROLL_NONE' && state !== 'STATE_NO_UPDATE_DESIRED');
  if (frames.length === 0) throw new Error('The trace has no frame of a scroll.');
  const count = (predicate: (frame: (typeof frames)[number]) => boolean) => frames.filter(predicate).length;
  return {
    count: frames.length,
    dropped: count(({ state }) => state === 'STATE_DROPPED'),
    incomplete: count((frame) => frame.has_missing_content),
  };
}

import type { Page } from '@playwright/test';

/** Durations of one interaction of an operator, in milliseconds. */
export interface Interaction {
  /** Time from the input to the paint that follows it, as measured by Event Timing; interactions that it leaves out count as `minEventMs`. */
  readonly paint: number;
  /** Time from the click until the requested rows are drawn, including the work of the server. */
  readonly shown: number;
  /** The longest time during which the page handled no events. */
  readonly longestTask: number;
}

/** The expected state of the visible table. */
export interface Wanted {
  /** Number of rows; at least one if it is left out. */
  readonly rows?: number;
  /** Text that the first row contains. */
  readonly firstRowText?: string;
  /** Id of the first row before the interaction, which another row must replace. */
  readonly previousRow?: string | undefined;
}

/** Milliseconds between press and release. The press is painted meanwhile and counts like the click. */
export const press = 80;

/** Event Timing leaves out interactions that are faster than this. */
export const minEventMs = 16;

interface Span {
  readonly start: number;
  readonly duration: number;
}

declare global {
  interface Window {
    watched: {
      events: Span[];
      tasks: Span[];
      begun: number;
      clicked: number;
      shown: number | undefined;
      firstRow(): HTMLElement | null;
      isShown(wanted: Wanted): boolean;
    };
  }
}

/** Makes a page record Event Timing entries; call it before the page is loaded. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    const table = () => [...document.querySelectorAll<HTMLElement>('.crud-table')].find((box) => box.offsetParent !== null);
    const firstRow = () => table()?.querySelector<HTMLElement>('tr[data-row]') ?? null;
    const isShown = ({ rows, firstRowText = '', previousRow }: Wanted) =>
      table()?.getAttribute('aria-busy') === 'false' &&
      (rows === undefined ? firstRow() !== null : table()?.querySelectorAll('tr[data-row]').length === rows) &&
      firstRow()?.dataset.row !== previousRow &&
      firstRow()?.textContent?.includes(firstRowText) === true;
    const watched: Window['watched'] = { events: [], tasks: [], begun: 0, clicked: 0, shown: undefined, firstRow, isShown };
    const span = ({ startTime, duration }: PerformanceEntry): Span => ({ start: startTime, duration });
    window.watched = watched;
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & { interactionId?: number })[];
      watched.events.push(...entries.filter(({ interactionId }) => interactionId).map(span));
    }).observe({ type: 'event', durationThreshold, buffered: true } as PerformanceObserverInit);
    new PerformanceObserver((list) => void watched.tasks.push(...list.getEntries().map(span))).observe({ type: 'longtask', buffered: true });
  }, minEventMs);
}

/** Clicks as a pointer does and waits until the table is in the expected state. Between click and paint, our code only checks the table once per frame. */
export async function interact(page: Page, selector: string, wanted: Wanted): Promise<Interaction> {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const place = await page.locator(selector).boundingBox();
  if (!place) throw new Error(`Nothing to click at ${selector}.`);
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.waitForTimeout(200);
  await page.evaluate((wanted) => {
    const { watched } = window;
    Object.assign(watched, { events: [], tasks: [], shown: undefined });
    const look = () => {
      if (watched.isShown(wanted)) setTimeout(() => (watched.shown = performance.now()));
      else requestAnimationFrame(look);
    };
    const begin = ({ timeStamp }: Event) => {
      watched.begun = timeStamp;
    };
    const clicked = ({ timeStamp }: Event) => {
      watched.clicked = timeStamp;
      requestAnimationFrame(look);
    };
    addEventListener('pointerdown', begin, { capture: true, once: true });
    addEventListener('click', clicked, { capture: true, once: true });
  }, wanted);
  await page.mouse.down();
  await page.waitForTimeout(press);
  await page.mouse.up();
  await page.waitForFunction(() => window.watched.shown !== undefined, undefined, { timeout: 8000 });
  await page.waitForTimeout(250);
  return page.evaluate((least) => {
    const { events, tasks, begun, clicked, shown = Number.NaN } = window.watched;
    const longest = (spans: readonly Span[]) => Math.max(0, ...spans.filter(({ start }) => start >= begun - 1).map(({ duration }) => duration));
    return { paint: Math.max(least, longest(events)), shown: shown - clicked, longestTask: longest(tasks) };
  }, minEventMs);
}

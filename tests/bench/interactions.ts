import type { Page } from '@playwright/test';

/** What one thing an operator did cost, in milliseconds. */
export interface Interaction {
  /** From the input to the paint that follows it, as Event Timing tells; what it leaves out counts as `leastTold`. */
  readonly paint: number;
  /** From the click until what was asked for is drawn, the server's work included. */
  readonly shown: number;
  /** The longest time in which the page heard nothing. */
  readonly longestTask: number;
}

/** The table in sight as it should be. */
export interface Wanted {
  readonly rows: number;
  /** What its first row says. */
  readonly says?: string;
  /** The first row it had before. */
  readonly instead?: string | undefined;
}

/** Milliseconds a finger rests on a button; the press is painted meanwhile, and counts as the click does. */
export const press = 80;

/** Event Timing leaves out what is faster. */
export const leastTold = 16;

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

/** Has a page, before it is loaded, write down what Event Timing tells. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    const table = () => [...document.querySelectorAll<HTMLElement>('.crud-table')].find((box) => box.offsetParent !== null);
    const firstRow = () => table()?.querySelector<HTMLElement>('tr[data-row]') ?? null;
    const isShown = ({ rows, says = '', instead }: Wanted) =>
      table()?.getAttribute('aria-busy') === 'false' &&
      table()?.querySelectorAll('tr[data-row]').length === rows &&
      firstRow()?.dataset.row !== instead &&
      firstRow()?.textContent?.includes(says) === true;
    const watched: Window['watched'] = { events: [], tasks: [], begun: 0, clicked: 0, shown: undefined, firstRow, isShown };
    const span = ({ startTime, duration }: PerformanceEntry): Span => ({ start: startTime, duration });
    window.watched = watched;
    new PerformanceObserver((list) => {
      const told = list.getEntries() as (PerformanceEntry & { interactionId?: number })[];
      watched.events.push(...told.filter(({ interactionId }) => interactionId).map(span));
    }).observe({ type: 'event', durationThreshold, buffered: true } as PerformanceObserverInit);
    new PerformanceObserver((list) => void watched.tasks.push(...list.getEntries().map(span))).observe({ type: 'longtask', buffered: true });
  }, leastTold);
}

/** Clicks as a pointer does, and waits until the table is as it should be. Between the click and the paint nothing of ours runs but a look at each frame. */
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
  }, leastTold);
}

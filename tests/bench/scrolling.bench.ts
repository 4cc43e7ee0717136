import { test } from '@rstest/core';
import { openSignedIn } from '../journeys/console.ts';
import { galleryProduct } from '../journeys/product.ts';
import { benchProduct } from './bench-product.ts';
import { framesDuring } from './frames.ts';
import { report } from './report.ts';

const section = 'Scrolling';
const bound = 0.05;

const product = galleryProduct();
const openPage = benchProduct(product);

test('ten thousand rows scroll by', async () => {
  const page = await openPage();
  await openSignedIn(page, product, '/gallery/visitor/index');
  await page.getByText('访客 1', { exact: true }).waitFor();
  const body = await page.locator('.crud-table__scroll').boundingBox();
  if (!body) throw new Error('There is no table to scroll.');
  const [x, y] = [body.x + body.width / 3, body.y + Math.min(body.height, 500) / 2];
  const session = await page.context().newCDPSession(page);
  for (const { speed, distance } of [
    { speed: 1_000, distance: 10_000 },
    { speed: 4_000, distance: 40_000 },
  ]) {
    await page.evaluate(countBlanks);
    const frames = await framesDuring(session, () =>
      session.send('Input.synthesizeScrollGesture', { x, y, yDistance: -distance, speed, gestureSourceType: 'mouse', preventFling: true }),
    );
    const blanks = await page.evaluate(() => window.blanks);
    const share = frames.dropped / frames.count;
    const at = `10,000 rows, ${speed.toLocaleString('en')} pixels a second; ${frames.count} frames, ${frames.incomplete} with tiles missing, ${blanks} with rows missing`;
    report({ section, what: 'frames dropped while scrolling', figure: `${(100 * share).toFixed(1)} %`, bound: `${100 * bound} %`, isMet: share < bound, at });
  }
});

declare global {
  interface Window {
    /** Number of frames in which a part of the visible table had no rows. */
    blanks: number;
  }
}

function countBlanks(): void {
  const body = document.querySelector('.crud-table__scroll');
  if (!body) throw new Error('There is no table.');
  const isUncovered = () => {
    const rows = body.querySelectorAll('tr[data-row]');
    const [top, bottom] = [rows[0]?.getBoundingClientRect().top ?? 0, rows[rows.length - 1]?.getBoundingClientRect().bottom ?? 0];
    const seen = body.getBoundingClientRect();
    return top > seen.top + 50 || bottom < seen.bottom - 50;
  };
  const isFirst = window.blanks === undefined;
  window.blanks = 0;
  const look = () => {
    if (isUncovered()) window.blanks += 1;
    requestAnimationFrame(look);
  };
  if (isFirst) look();
}

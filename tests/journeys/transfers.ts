import type { Page } from '@playwright/test';

/** One body the page fetched: its compressed size as it travelled, and when it was asked for, in the page's own milliseconds. */
export interface Transfer {
  readonly path: string;
  readonly kind: 'script' | 'style' | 'document' | 'call' | 'other';
  readonly bytes: number;
  readonly start: number;
}

/** What a page has fetched since it was opened. */
export class Transfers {
  private constructor(private readonly page: Page) {}

  /** Watches a page that has opened nothing yet; it tells the server that it understands this one encoding and no other. */
  static async of(page: Page, encoding: 'gzip' | 'br'): Promise<Transfers> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setAcceptedEncodings', { encodings: [encoding] });
    await page.addInitScript(() => {
      const look = () => {
        const isUsable = (selector: string) => document.querySelector(`${selector}:enabled`)?.checkVisibility() === true;
        if (!isUsable('input[name=username]') || !isUsable('button[type=submit]')) return;
        watch.disconnect();
        performance.mark('sign-in-interactive');
      };
      const watch = new MutationObserver(look);
      watch.observe(document, { childList: true, subtree: true, attributes: true });
    });
    return new Transfers(page);
  }

  /** When the sign-in form could be typed into and sent. */
  async interactive(): Promise<number> {
    await this.page.waitForFunction(() => performance.getEntriesByName('sign-in-interactive').length > 0);
    return this.page.evaluate(() => performance.getEntriesByName('sign-in-interactive')[0]?.startTime ?? 0);
  }

  /** Everything asked for so far and answered, in the order it was asked for. */
  async all(): Promise<Transfer[]> {
    const entries = await this.page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => {
        const { name, startTime, encodedBodySize } = entry as PerformanceResourceTiming;
        return { path: new URL(name).pathname, start: startTime, bytes: encodedBodySize };
      }),
    );
    return entries.map((entry) => ({ ...entry, kind: kindOf(entry.path) })).sort((a, b) => a.start - b.start);
  }
}

function kindOf(path: string): Transfer['kind'] {
  if (path.endsWith('.js')) return 'script';
  if (path.endsWith('.css')) return 'style';
  if (path.startsWith('/api/')) return 'call';
  return /\.\w+$/.test(path) ? 'other' : 'document';
}

/** Bytes of one kind. */
export function bytesOf(transfers: readonly Transfer[], kind: Transfer['kind']): number {
  return transfers.filter((transfer) => transfer.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
}

import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../journeys/axe.ts';
import { openSignedIn } from '../journeys/console.ts';
import { Product } from '../journeys/product.ts';
import { visit } from '../journeys/tabs.ts';
import { report } from './report.ts';

interface Item {
  readonly path: string;
  readonly children?: readonly Item[];
}

const section = 'Axe on every screen of the menu';
const languages = ['zh', 'en'] as const;
const schemes = ['light', 'dark'] as const;

test('axe finds nothing on any screen of the menu, in either language, by day and by night', async ({ browser }) => {
  const product = new Product();
  test.setTimeout(1_800_000);
  await product.start();
  try {
    const client = await product.signIn();
    const screens = leavesOf((await client.get('/api/things-system/menu/routes')).data as Item[]);
    expect(screens.length).toBeGreaterThan(20);
    const found: string[] = [];
    let looks = 0;
    for (const language of languages) {
      const context = await browser.newContext({ locale: 'zh-CN', reducedMotion: 'reduce' });
      const page = await context.newPage();
      await openSignedIn(page, product, '/wel/index');
      await page.evaluate(
        ([prefix, chosen]) => {
          localStorage.setItem(`${prefix}appearance`, '"system"');
          localStorage.setItem(`${prefix}language`, JSON.stringify(chosen));
        },
        [product.storagePrefix, language] as const,
      );
      await page.reload();
      for (const screen of screens) {
        await visit(page, `${screen}/index`);
        await expect(
          page.getByRole('main').locator('[role=tabpanel]:visible, article:visible, section:visible, table:visible, ul:visible').first(),
        ).toBeVisible();
        await expect(page.locator('main [aria-busy=true]:visible')).toHaveCount(0);
        // Rendering has finished by then.
        await page.waitForTimeout(300);
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const failure = await expectNoViolations(page, `${screen} ${language} ${colorScheme}`).then(
            () => undefined,
            (thrown: Error) => thrown.message,
          );
          looks += 1;
          if (failure) found.push(failure);
        }
      }
      await context.close();
    }
    console.log(found.join('\n'));
    report(section, { what: 'screens × looks', after: `${screens.length} × ${languages.length * schemes.length}` });
    report(section, { what: 'looks with violations', after: found.length, bound: 0 });
    expect(looks).toBe(screens.length * languages.length * schemes.length);
    expect(found).toEqual([]);
  } finally {
    await product.discard();
  }
});

/** Returns the addresses of the screens in the menu, at any depth. */
function leavesOf(items: readonly Item[]): string[] {
  return items.flatMap(({ path, children = [] }) => (children.length > 0 ? leavesOf(children) : path.startsWith('/') ? [path.replace(/\/+$/, '')] : []));
}

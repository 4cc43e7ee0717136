import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What may differ between light and dark: nothing but colours does. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Axe finds nothing in what is on screen. */
export async function isClean(page: Page, screen: string, rules?: string[]): Promise<void> {
  await page.evaluate(stillness);
  // Without frames there is nothing to gather in a page of its own, which is most of what a look takes.
  const builder = new AxeBuilder({ page }).setLegacyMode((await page.locator('iframe').count()) === 0);
  const { violations } = await (rules ? builder.withRules(rules) : builder).analyze();
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect({ screen, found }).toEqual({ screen, found: [] });
}

/** The console follows the device from here on, which is light and in want of rest. */
export async function followDevice(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('marquee-appearance', '"system"'));
}

/** Axe finds nothing in what is on screen by day, nor in its colours by night. For pages that `followDevice`. */
export async function isCleanDayAndNight(page: Page, screen: string): Promise<void> {
  const body = page.locator('body');
  await expect(body).not.toHaveAttribute('arco-theme');
  await isClean(page, screen);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(body).toHaveAttribute('arco-theme', 'dark');
  await isClean(page, `${screen}, dark`, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(body).not.toHaveAttribute('arco-theme');
}

/** A colour on its way from one to another is neither. */
async function stillness(): Promise<void> {
  const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

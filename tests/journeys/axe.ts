import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

type Violations = axe.AxeResults['violations'];

/** What may differ between light and dark: nothing but colours does. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Axe finds nothing in what is on screen. */
export async function isClean(page: Page, screen: string, rules?: string[]): Promise<void> {
  await page.evaluate(stillness);
  const isFramed = (await page.locator('iframe').count()) > 0;
  const violations = isFramed ? await violationsInFrames(page, rules) : await violationsOn(page, rules);
  const found = violations.map(({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect({ screen, found }).toEqual({ screen, found: [] });
}

async function violationsInFrames(page: Page, rules?: string[]): Promise<Violations> {
  const builder = new AxeBuilder({ page });
  return (await (rules ? builder.withRules(rules) : builder).analyze()).violations;
}

/** What axe finds on the page, frames aside: as the builder does, but axe is given to a document once, and tells nothing of what it finds in order: most of what a look takes. */
export async function violationsOn(page: Page, rules?: string[]): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // The one rule that would read the style sheets again is not among those that are looked at.
    const preload = { assets: ['media'] };
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload, ...(values ? { runOnly: { type: 'rule', values } } : {}) });
    return violations;
  }, rules);
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

/** A colour on its way from one to another is neither; one that has not set out yet does in the next frames. */
async function stillness(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const passing = () => document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  do {
    await Promise.allSettled(passing().map(({ finished }) => finished));
    await frame();
    await frame();
  } while (passing().some(({ playState }) => playState === 'running'));
}

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

type Violations = axe.AxeResults['violations'];

/** Rules that can differ between light and dark, since only colours do. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Expects axe to find no violation on the screen. */
export async function expectNoViolations(page: Page, screen: string, rules?: string[]): Promise<void> {
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

/**
 * Returns the violations on the page without frames, as the axe builder does. It injects axe once per document and omits passed rules, whose report takes most of the time.
 */
export async function violationsOn(page: Page, rules?: string[]): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // The only rule that would load the style sheets again is not among the checked ones.
    const preload = { assets: ['media'] };
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload, ...(values ? { runOnly: { type: 'rule', values } } : {}) });
    return violations;
  }, rules);
}

/** Makes the console follow the device, which is light and prefers reduced motion. */
export async function followDevice(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('marquee-appearance', '"system"'));
}

/** Expects axe to find no violation in light mode, nor in the colours of dark mode. Requires `followDevice`. */
export async function expectNoViolationsInLightAndDark(page: Page, screen: string): Promise<void> {
  const body = page.locator('body');
  await expect(body).not.toHaveAttribute('arco-theme');
  await expectNoViolations(page, screen);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(body).toHaveAttribute('arco-theme', 'dark');
  await expectNoViolations(page, `${screen}, dark`, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(body).not.toHaveAttribute('arco-theme');
}

/** Waits until all transitions have ended, including those that start in the next frames, because a colour in transition belongs to neither mode. */
async function stillness(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const passing = () => document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  do {
    await Promise.allSettled(passing().map(({ finished }) => finished));
    await frame();
    await frame();
  } while (passing().some(({ playState }) => playState === 'running'));
}

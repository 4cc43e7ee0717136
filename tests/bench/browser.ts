import { type Browser, chromium } from '@playwright/test';

/** Opens the browser that measurements are made in. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: ['--no-sandbox', '--disable-background-networking'],
  });

import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll } from '@rstest/core';
import type { Client, Product } from '../journeys/product.ts';
import { openBrowser } from './browser.ts';

const concurrency = 20;

/** Starts and fills a product with a browser for the benchmarks of a file, and returns a function that opens a page. */
export function benchProduct(product: Product, fill?: (client: Client) => Promise<void>): () => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    await product.start();
    browser = await openBrowser();
    await fill?.(await product.signIn());
  });
  afterAll(async () => {
    await browser.close();
    await product.discard();
  });
  return () => browser.newPage({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
}

/** Saves `count` rows through their form, several at a time. */
export async function submitRows(client: Client, path: string, count: number, formOf: (number: number) => object): Promise<void> {
  for (let first = 0; first < count; first += concurrency)
    await Promise.all(Array.from({ length: Math.min(concurrency, count - first) }, (_, index) => client.post(path, formOf(first + index))));
}

/** Adds `count` exhibits to the gallery; `fieldsOf` returns fields that differ from the defaults. */
export const submitExhibits = (client: Client, count: number, fieldsOf: (number: number) => object = () => ({})): Promise<void> =>
  submitRows(client, '/api/gallery/exhibit/submit', count, (number) => ({
    name: `展品 ${number}`,
    kind: (number % 3) + 1,
    pieces: (number * 7) % 101,
    price: number * 12_345,
    story: `第 ${number} 件的来历`,
    ...fieldsOf(number),
  }));

import { expect, test } from '@playwright/test';
import { killWhileWriting } from './killed-writing.ts';

// A hundred times is a soak (`tests/soak/killed-writing.soak.ts`).
test('a server killed again and again in mid-write loses nothing it has acknowledged, and starts again', async () => {
  const { acknowledged, lost } = await killWhileWriting(3);
  expect(acknowledged).toBeGreaterThan(3);
  expect(lost).toEqual([]);
});

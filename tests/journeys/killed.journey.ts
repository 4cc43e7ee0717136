import { expect, test } from '@playwright/test';
import { killWhileWriting } from './killed-writing.ts';

// A soak kills it a hundred times (`tests/soak/killed-writing.soak.ts`).
test('a server killed during writes loses no acknowledged write, and starts again', async () => {
  const { acknowledged, lost } = await killWhileWriting(1);
  expect(acknowledged).toBeGreaterThan(0);
  expect(lost).toEqual([]);
});

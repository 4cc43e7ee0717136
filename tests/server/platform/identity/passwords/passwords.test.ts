import { hash as digest } from 'node:crypto';
import { expect, test } from '@rstest/core';
import { makeCommonDigests, Passwords } from '../../../../../src/server/platform/identity/passwords/passwords.ts';
import { longestTurn, shortest } from '../../../../support/event-loop-delay.ts';

const passwords = new Passwords([new Uint8Array(40).fill(7)], ['Marquee']);
const md5Of = (text: string) => passwords.read(digest('md5', text));
const weaknessOf = (text: string) =>
  passwords.assertStrong(md5Of(text), ['haishan']).then(
    () => undefined,
    (error: Error) => error.message,
  );

test('computing digests of common passwords blocks no request', async () => {
  const sizes: number[] = [];
  const took = await shortest(() =>
    longestTurn(async () => {
      sizes.push((await makeCommonDigests()).size);
    }),
  );
  expect(sizes[0]).toBeGreaterThan(100_000);
  expect(took).toBeLessThan(50);
});

test('a password sent as md5 hex is refused if it is common or personal', async () => {
  const found = [await weaknessOf('Password123'), await weaknessOf('haishan2024'), await weaknessOf('evening lights of 2026')];
  expect(found).toEqual([
    'This password is too common and easy to guess. Choose another.',
    'The password cannot be based on your account, name, phone number or similar.',
    undefined,
  ]);
});

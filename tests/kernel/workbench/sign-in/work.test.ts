import { createHash } from 'node:crypto';
import { expect, test } from '@rstest/core';
import { findNumber, sha256Hex } from '../../../../src/kernel/workbench/sign-in/proof/work.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

test('a digest equals that of node:crypto for texts of any length', () => {
  for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000]) {
    const text = 'é😀z'.repeat(length).slice(0, length);
    expect(sha256Hex(text), `${length}`).toBe(digest(text));
  }
});

test('the number of a challenge is found where it is, and nowhere else', () => {
  const salt = '9f2c?expires=1795303967&for=ab12&';
  const work = { algorithm: 'SHA-256', challenge: digest(`${salt}4711`), maxnumber: 10_000, salt, signature: 's' };
  expect(findNumber(work, 4000, 5000)).toBe(4711);
  expect(findNumber(work, 0, 4711)).toBeUndefined();
  expect(findNumber(work, 4712, 10_001)).toBeUndefined();
});

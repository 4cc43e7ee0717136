import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { CaptchaReply, WorkChallenge } from '#shared/auth';
import { Captchas } from '../../../../../src/server/platform/identity/captcha/captchas.ts';
import { WorkChallenges } from '../../../../../src/server/platform/identity/captcha/work-challenge.ts';
import { openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: { CAPTCHA_MODE: 'on' } });
});
afterAll(() => server.stop());

const draw = async () => (await server.get('/api/things-auth/oauth/captcha')).body as CaptchaReply & { work: WorkChallenge };
const encoded = (solution: object) => btoa(JSON.stringify(solution));

/** Finds the number whose hash together with the salt equals the challenge. */
function solved({ maxnumber, ...challenge }: WorkChallenge): { number: number } & Omit<WorkChallenge, 'maxnumber'> {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (hash('sha256', `${challenge.salt}${number}`) === challenge.challenge) return { ...challenge, number };
  }
  throw new Error('The challenge has no solution');
}

const signIn = async (key: string, code: string) =>
  (
    await server.post(
      '/api/things-auth/oauth/token',
      { grant_type: 'captcha', username: 'admin', password },
      { headers: { authorization: `Basic ${btoa('sryx:')}`, 'captcha-key': key, 'captcha-code': code } },
    )
  ).status;

test('a proof of work replaces the picture once', async () => {
  const { key, work } = await draw();
  expect(work).toMatchObject({ algorithm: 'SHA-256', maxnumber: 100_000, challenge: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const code = encoded(solved(work));
  expect(await signIn(key, code)).toBe(200);
  expect(await signIn(key, code)).toBe(400);
});

test('the proof of one captcha is invalid for another, and a wrong one consumes the key', async () => {
  const [one, other] = [await draw(), await draw()];
  const solution = solved(one.work);
  expect(await signIn(other.key, encoded(solution))).toBe(400);
  expect(await signIn(one.key, encoded({ ...solution, number: solution.number + 1 }))).toBe(400);
  expect(await signIn(one.key, encoded(solution))).toBe(400);
});

test('if no picture can be rendered, the proof of work still signs in', async () => {
  const errors: unknown[] = [];
  const captchas = new Captchas({
    db: server.db,
    configuration: { captcha: true, captchaTestAnswer: undefined },
    work: new WorkChallenges(new Uint8Array(32).fill(1)),
    log: { error: (...entry: unknown[]) => void errors.push(entry) },
    picture: () => Promise.reject(new Error('this processor is not supported')),
  });
  const { key, image, work } = await captchas.draw();
  expect({ image, errors: errors.length }).toEqual({ image: '', errors: 1 });
  await captchas.check(key, encoded(solved(work as WorkChallenge)));
  await expect(captchas.check(key, encoded(solved(work as WorkChallenge)))).rejects.toThrow();
});

test('an invented, altered or wrong solution is refused', async () => {
  const challenges = new WorkChallenges(new Uint8Array(32).fill(1));
  const forger = new WorkChallenges(new Uint8Array(32).fill(2));
  const key = '4ef11dab-c4f2-4987-b267-0e976c363656';
  const solution = solved(await challenges.of(key));
  expect(await challenges.solves(key, encoded(solution))).toBe(true);
  const wrong = [
    '',
    'x',
    'e30=',
    btoa('null'),
    encoded({ ...solution, algorithm: 'SHA-1' }),
    encoded({ ...solution, number: String(solution.number) }),
    encoded({ ...solution, salt: 7 }),
    encoded({ ...solution, salt: solution.salt.replace(/expires=\d+/, 'expires=9999999999') }),
    encoded({ ...solution, signature: '0'.repeat(64) }),
    encoded(solved(await forger.of(key))),
    encoded({ ...solution, more: 'x'.repeat(2000) }),
  ];
  for (const code of wrong) expect({ code: code.slice(0, 40), right: await challenges.solves(key, code) }).toEqual({ code: code.slice(0, 40), right: false });
});

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import type { WorkChallenge } from '#shared/auth';

const algorithm = 'SHA-256';
/** Maximum number to search, about half a second of a browser's time. */
const maxNumber = 100_000;
const minutes = 30;
const longestSolution = 1000;

interface Solution {
  readonly algorithm: string;
  readonly challenge: string;
  readonly number: number;
  readonly salt: string;
  readonly signature: string;
}

/** Proof-of-work challenges that replace reading a picture; each belongs to one captcha key and expires with it. */
export class WorkChallenges {
  private readonly hmacKeys: readonly [string, ...string[]];

  /** Challenges that fallbacks have signed can be solved as well. */
  constructor(key: Uint8Array, ...fallbacks: readonly Uint8Array[]) {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    this.hmacKeys = [hex(key), ...fallbacks.map(hex)];
  }

  async of(captchaKey: string): Promise<WorkChallenge> {
    const expires = new Date(Date.now() + minutes * 60_000);
    const { maxnumber = maxNumber, ...challenge } = await createChallenge({
      algorithm,
      hmacKey: this.hmacKeys[0],
      maxnumber: maxNumber,
      expires,
      params: { for: markOf(captchaKey, this.hmacKeys[0]) },
    });
    return { ...challenge, maxnumber };
  }

  /** Tests whether a code solves the challenge of this captcha. */
  async solves(captchaKey: string, code: string): Promise<boolean> {
    const solution = code.length > longestSolution ? undefined : solutionOf(code);
    if (!solution) return false;
    const mark = new URLSearchParams(solution.salt.split('?')[1] ?? '').get('for') ?? '';
    for (const key of this.hmacKeys) if (isSame(mark, markOf(captchaKey, key))) return verifySolution({ ...solution, algorithm }, key);
    return false;
  }
}

/** Ties a challenge to its captcha: the value becomes part of the signed salt. */
const markOf = (captchaKey: string, hmacKey: string): string => createHmac('sha256', hmacKey).update(captchaKey.toLowerCase()).digest('hex').slice(0, 32);

const isSame = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function solutionOf(code: string): Solution | undefined {
  try {
    const { algorithm: claimedAlgorithm, challenge, number, salt, signature } = JSON.parse(Buffer.from(code, 'base64').toString()) as Record<string, unknown>;
    const areStrings = [challenge, salt, signature].every((text) => typeof text === 'string');
    return claimedAlgorithm === algorithm && areStrings && Number.isSafeInteger(number)
      ? ({ algorithm, challenge, number, salt, signature } as Solution)
      : undefined;
  } catch {
    return undefined;
  }
}

import { authProblems } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import { type Problem, Refusal } from '#shared/errors';
import type { LoginOutcome } from '#shared/login-log';
import { secondFactorProblems } from '#shared/second-factor';

const outcomes = new Map<Problem, LoginOutcome>([
  [authProblems.wrongCredentials, 'wrong-credentials'],
  [authProblems.wrongCaptcha, 'wrong-captcha'],
  [signInProblems.tooManyFailures, 'locked'],
  [signInProblems.tooSoon, 'locked'],
  [signInProblems.tooManyFailuresFromAddress, 'address-locked'],
  [secondFactorProblems.required, 'second-factor-required'],
  [secondFactorProblems.wrongCode, 'wrong-second-factor'],
  [secondFactorProblems.tokenSpent, 'wrong-second-factor'],
]);

/** Maps a failed attempt to its outcome in the login log. */
export function outcomeOf(error: unknown): LoginOutcome {
  return (error instanceof Refusal ? outcomes.get(error.problem) : undefined) ?? 'refused';
}

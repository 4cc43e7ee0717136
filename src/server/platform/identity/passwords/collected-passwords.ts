import type { OneTimePassword } from '#shared/one-time-passwords';
import { ContextVariable } from '../../../base/context-variable.ts';

const collections = new ContextVariable<OneTimePassword[]>();

/** Runs `work` and returns its result with the passwords that were assigned to accounts meanwhile. */
export async function collectPasswords<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly passwords: readonly OneTimePassword[] }> {
  const passwords: OneTimePassword[] = [];
  return { result: await collections.run(passwords, work), passwords };
}

/** Passes a password to the surrounding `collectPasswords`; outside of one it is discarded. */
export function handPassword(password: OneTimePassword): void {
  collections.get()?.push(password);
}

import { useState } from 'react';
import { passwordWeakness } from '#shared/password-rules';
import type { TextKey } from '../../../platform/i18n/texts.ts';

/** Fields of a request for an account. */
export interface AccountRequest {
  readonly name: string;
  readonly account: string;
  readonly password: string;
  readonly password2: string;
}

const nothing = { name: '', account: '', password: '', password2: '' };
const judged = ['account', 'password', 'password2'] as const;

/** Holds the fields of a request for an account and their validation errors. */
export function useAccountRequest(given: Partial<AccountRequest> = {}) {
  const [wish, setWish] = useState<AccountRequest>({ ...nothing, ...given });
  const [problems, setProblems] = useState<Partial<Record<keyof AccountRequest, TextKey>>>({});
  const change = (of: keyof AccountRequest) => (value: string) => {
    setWish((before) => ({ ...before, [of]: value }));
    setProblems((before) => ({ ...before, [of]: undefined }));
  };
  /** Validates all fields and returns the first invalid one. */
  const check = (): keyof AccountRequest | undefined => {
    const found = problemsOf(wish);
    setProblems(found);
    return judged.find((of) => found[of]);
  };
  return { wish: { ...wish, name: wish.name.trim(), account: wish.account.trim() }, entered: wish, problems, change, check };
}

/** The order of the checks and their messages match those of BladeX-compatible clients. */
function problemsOf({ account, name, password, password2 }: AccountRequest): Partial<Record<keyof AccountRequest, TextKey>> {
  const again = password2 === '' ? 'ways.guestPasswordMissing' : password2 === password ? undefined : 'ways.guestPasswordsDiffer';
  return {
    ...(account.trim() === '' ? { account: 'ways.guestAccountMissing' } : {}),
    ...(password === '' ? { password: 'ways.guestPasswordMissing' } : passwordWeakness(password, [account, name]) ? { password: 'signIn.weakPassword' } : {}),
    ...(again ? { password2: again } : {}),
  };
}

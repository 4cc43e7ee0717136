import { useState } from 'react';
import type { TextKey } from '../i18n/texts.ts';

/** What whoever asks for an account fills in. */
export interface AccountWish {
  readonly name: string;
  readonly account: string;
  readonly password: string;
  readonly password2: string;
}

const nothing = { name: '', account: '', password: '', password2: '' };
const judged = ['account', 'password', 'password2'] as const;

/** What has been filled in of a wish for an account, and what is wrong with it. */
export function useAccountWish(given: Partial<AccountWish> = {}) {
  const [wish, setWish] = useState<AccountWish>({ ...nothing, ...given });
  const [problems, setProblems] = useState<Partial<Record<keyof AccountWish, TextKey>>>({});
  const change = (of: keyof AccountWish) => (value: string) => {
    setWish((before) => ({ ...before, [of]: value }));
    setProblems((before) => ({ ...before, [of]: undefined }));
  };
  /** The first field that is wrong. */
  const check = (): keyof AccountWish | undefined => {
    const found = problemsOf(wish);
    setProblems(found);
    return judged.find((of) => found[of]);
  };
  return { wish: { ...wish, name: wish.name.trim(), account: wish.account.trim() }, entered: wish, problems, change, check };
}

/** In the order and the words of `product.md` §5. */
function problemsOf({ account, password, password2 }: AccountWish): Partial<Record<keyof AccountWish, TextKey>> {
  const again = password2 === '' ? 'ways.guestPasswordMissing' : password2 === password ? undefined : 'ways.guestPasswordsDiffer';
  return {
    ...(account.trim() === '' ? { account: 'ways.guestAccountMissing' } : {}),
    ...(password === '' ? { password: 'ways.guestPasswordMissing' } : {}),
    ...(again ? { password2: again } : {}),
  };
}

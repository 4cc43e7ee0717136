import { errors } from './errors.ts';
import { lock } from './lock.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

/** In Chinese: what is said before and around the console. Loaded with the sign-in page, so it stays small. */
export const entrance = { errors, lock, shell, signIn };

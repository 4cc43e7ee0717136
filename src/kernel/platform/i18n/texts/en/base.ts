import type { BaseTexts } from '../shape.ts';
import { errors } from './errors.ts';
import { lock } from './lock.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

/** English texts before sign-in and around the console. They are loaded with the sign-in page, so the file stays small. */
export const base: BaseTexts = { errors, lock, shell, signIn };

import type { base } from './zh/base.ts';
import type { console } from './zh/console.ts';
import type { signInMethods } from './zh/sign-in-methods.ts';

/** Maps the literal texts of a branch to `string` and keeps its keys. */
type TextsShape<Branch> = { readonly [Name in keyof Branch]: Branch[Name] extends string ? string : TextsShape<Branch[Name]> };

export type BaseTexts = TextsShape<typeof base>;
export type ConsoleTexts = TextsShape<typeof console>;

/** Texts that are loaded together with the code of the sign-in methods. */
type LazyTexts = { readonly signInMethods: TextsShape<typeof signInMethods> };

/** All texts of the kernel as one tree. The Chinese texts define its keys, so that a missing translation is a compile error. */
export type Texts = BaseTexts & ConsoleTexts & LazyTexts;

import type { base } from './zh/base.ts';
import type { console } from './zh/console.ts';
import type { ways } from './zh/sign-in-methods.ts';

type TextsShape<Branch> = { readonly [Name in keyof Branch]: Branch[Name] extends string ? string : TextsShape<Branch[Name]> };

export type BaseTexts = TextsShape<typeof base>;
export type ConsoleTexts = TextsShape<typeof console>;

type LazyTexts = { readonly ways: TextsShape<typeof ways> };

/** All texts of the kernel as one tree; a language that lacks one does not compile. */
export type Texts = BaseTexts & ConsoleTexts & LazyTexts;

import type { Language } from '#shared/text';
import type { account } from './texts/zh/account.ts';
import type { base } from './texts/zh/base.ts';
import type { console } from './texts/zh/console.ts';
import type { ways } from './texts/zh/ways.ts';

type TextsShape<Branch> = { readonly [Name in keyof Branch]: Branch[Name] extends string ? string : TextsShape<Branch[Name]> };
type Keys<Branch> = { [Name in keyof Branch & string]: Branch[Name] extends string ? Name : `${Name}.${Keys<Branch[Name]>}` }[keyof Branch & string];

export type BaseTexts = TextsShape<typeof base>;
export type ConsoleTexts = TextsShape<typeof console>;

type LazyTexts = { readonly account: TextsShape<typeof account>; readonly ways: TextsShape<typeof ways> };

/** All texts of the kernel as one tree; a language that lacks one does not compile. */
export type Texts = BaseTexts & ConsoleTexts & LazyTexts;

/** Path of a kernel text: `shell.signOut`. */
export type TextKey = Keys<Texts>;

/** A part of the kernel's texts, loaded per language on demand. */
export type TextPart = Readonly<Record<Language, () => Promise<Partial<Texts>>>>;

/** Texts before sign-in and around the console. */
export const baseTexts: TextPart = {
  zh: () => import('./texts/zh/base.ts').then(({ base }) => base),
  en: () => import('./texts/en/base.ts').then(({ base }) => base),
};

/** Texts of the console. */
export const consoleTexts: TextPart = {
  zh: () => import('./texts/zh/console.ts').then(({ console }) => console),
  en: () => import('./texts/en/console.ts').then(({ console }) => console),
};

/** Texts of the sign-in methods other than account and password. */
export const wayTexts: TextPart = {
  zh: () => import('./texts/zh/ways.ts'),
  en: () => import('./texts/en/ways.ts'),
};

/** Texts of the account page. */
export const accountTexts: TextPart = {
  zh: () => import('./texts/zh/account.ts'),
  en: () => import('./texts/en/account.ts'),
};

import type { Language } from '#shared/text';
import type { account } from './texts/zh/account.ts';
import type { console } from './texts/zh/console.ts';
import type { entrance } from './texts/zh/entrance.ts';
import type { ways } from './texts/zh/ways.ts';

type Shaped<Branch> = { readonly [Name in keyof Branch]: Branch[Name] extends string ? string : Shaped<Branch[Name]> };
type Keys<Branch> = { [Name in keyof Branch & string]: Branch[Name] extends string ? Name : `${Name}.${Keys<Branch[Name]>}` }[keyof Branch & string];

export type EntranceTexts = Shaped<typeof entrance>;
export type ConsoleTexts = Shaped<typeof console>;

type FurtherTexts = { readonly account: Shaped<typeof account>; readonly ways: Shaped<typeof ways> };

/** The kernel's words as one tree; a language that lacks one does not compile. */
export type Texts = EntranceTexts & ConsoleTexts & FurtherTexts;

/** A kernel text by its path: `shell.signOut`. */
export type TextKey = Keys<Texts>;

/** A part of the kernel's words, loaded for a language when somebody reads it. */
export type TextPart = Readonly<Record<Language, () => Promise<Partial<Texts>>>>;

/** What is said before and around the console. */
export const entranceTexts: TextPart = {
  zh: () => import('./texts/zh/entrance.ts').then(({ entrance }) => entrance),
  en: () => import('./texts/en/entrance.ts').then(({ entrance }) => entrance),
};

/** What the console says. */
export const consoleTexts: TextPart = {
  zh: () => import('./texts/zh/console.ts').then(({ console }) => console),
  en: () => import('./texts/en/console.ts').then(({ console }) => console),
};

/** What is said where somebody signs in by more than account and password. */
export const wayTexts: TextPart = {
  zh: () => import('./texts/zh/ways.ts'),
  en: () => import('./texts/en/ways.ts'),
};

/** What the page about oneself says. */
export const accountTexts: TextPart = {
  zh: () => import('./texts/zh/account.ts'),
  en: () => import('./texts/en/account.ts'),
};

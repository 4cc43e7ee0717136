import type { Language } from '#shared/text';
import type { Texts } from './texts/shape.ts';

type TextPaths<Branch> = { [Name in keyof Branch & string]: Branch[Name] extends string ? Name : `${Name}.${TextPaths<Branch[Name]>}` }[keyof Branch & string];

/** Path of a kernel text: `shell.signOut`. */
export type TextKey = TextPaths<Texts>;

/** A part of the kernel's texts, loaded per language on demand. */
export type TextPart = Readonly<Record<Language, () => Promise<Partial<Texts>>>>;

/** Texts before sign-in and around the console. Both languages are part of the first script: a file of their own would be one more request before the first form. */
export const baseTexts: TextPart = {
  zh: () => import(/* webpackMode: "eager" */ './texts/zh/base.ts').then(({ base }) => base),
  en: () => import(/* webpackMode: "eager" */ './texts/en/base.ts').then(({ base }) => base),
};

/** Texts of the console. */
export const consoleTexts: TextPart = {
  zh: () => import('./texts/zh/console.ts').then(({ console }) => console),
  en: () => import('./texts/en/console.ts').then(({ console }) => console),
};

/** Texts of the sign-in methods other than account and password. */
export const signInMethodTexts: TextPart = {
  zh: () => import('./texts/zh/sign-in-methods.ts'),
  en: () => import('./texts/en/sign-in-methods.ts'),
};

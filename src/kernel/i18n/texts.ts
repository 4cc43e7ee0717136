import type { Language } from '#shared/text';
import type { zh } from './texts/zh.ts';

type Shaped<Branch> = { readonly [Name in keyof Branch]: Branch[Name] extends string ? string : Shaped<Branch[Name]> };
type Keys<Branch> = { [Name in keyof Branch & string]: Branch[Name] extends string ? Name : `${Name}.${Keys<Branch[Name]>}` }[keyof Branch & string];

/** The kernel's words as one tree; a language that lacks one does not compile. */
export type Texts = Shaped<typeof zh>;

/** A kernel text by its path: `shell.signOut`. */
export type TextKey = Keys<Texts>;

/** Loads one language; each is a chunk of its own. */
export const loadTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  zh: () => import('./texts/zh.ts').then(({ zh }) => zh),
  en: () => import('./texts/en.ts').then(({ en }) => en),
};

import { problem } from '../contract/errors.ts';
import { commonDigits, commonWords } from './common-passwords.ts';

/** Limits of the password length in characters. Character classes are not required, following NIST SP 800-63B. */
export const passwordLength = { min: 8, max: 128 };

/** Refusals of a new password. */
export const passwordProblems = {
  short: problem(400, ['密码至少 8 个字符', 'Use at least 8 characters.']),
  long: problem(400, ['密码最多 128 个字符', 'Use up to 128 characters.']),
  common: problem(400, ['该密码过于常见，容易被猜到，请更换', 'This password is too common and easy to guess. Choose another.']),
  personal: problem(400, ['密码不能由账号、姓名、手机号等信息加数字组成', 'The password cannot be based on your account, name, phone number or similar.']),
  pattern: problem(400, ['密码不能是重复或连续的字符', 'Avoid repeated or sequential characters.']),
};
/** One of the keys of `passwordProblems`. */
export type PasswordWeakness = keyof typeof passwordProblems;

/**
 * Returns the weakness of a password for an account, or undefined for a good one. `about` lists what strangers may know: account, name, phone, e-mail, tenant code,
 * product.
 */
export function passwordWeakness(password: string, about: readonly (string | null | undefined)[] = []): PasswordWeakness | undefined {
  const { length } = [...password];
  if (length < passwordLength.min) return 'short';
  if (length > passwordLength.max) return 'long';
  const typed = password.toLowerCase();
  if (isPattern(typed)) return 'pattern';
  if (isCommon(typed)) return 'common';
  return factsOf(about).some((fact) => isBuiltFrom(typed, fact)) ? 'personal' : undefined;
}

/** Affixes to try around common words and personal facts, for passwords that can only be compared as digests. */
export const commonAffixes: readonly string[] = ['', ...commonDigits, ...Array.from({ length: 78 }, (_, year) => String(1950 + year))];

/** Returns the personal facts that could be part of a password: long enough to be significant, in lower case, for an e-mail also the part before the @. */
export function factsOf(about: readonly (string | null | undefined)[]): string[] {
  const facts = about.flatMap((fact) => {
    const typed = (fact ?? '').trim().toLowerCase();
    return [typed, typed.split('@')[0] ?? ''];
  });
  return [...new Set(facts)].filter((fact) => [...fact].length >= 2);
}

/** Returns true for a password that is a fact with nothing but digits and symbols around it. */
const isBuiltFrom = (typed: string, fact: string) => typed.includes(fact) && !/\p{L}/u.test(typed.replaceAll(fact, ''));

const lookalikes: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' };
const withoutLookalikes = (typed: string) => [...typed].map((sign) => lookalikes[sign] ?? sign).join('');
const trimSymbols = (typed: string) => typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

const digits = new Set(commonDigits);
/** A sequence of digits with a meaning in China. */
const luckyDigits = /^(?:5201314|1314|520|521|168|518|110|119|120|666+|888+|999+|000+|111+|123|1234|12345|123456|321|7758521)+$/;
/** A date, such as 19900101 or 01021990. */
const dayPattern = /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|[12]\d|3[01])(?:19|20)\d\d)$/;

function isCommon(typed: string): boolean {
  const words = [
    typed,
    trimSymbols(typed),
    withoutLookalikes(typed),
    withoutLookalikes(trimSymbols(typed)),
    trimSymbols(withoutLookalikes(typed)),
    typed.replace(/[^\p{L}]/gu, ''),
  ];
  const rest = typed.replace(/^\p{L}{1,2}|\p{L}{1,2}$/gu, '');
  return (
    words.some((word) => commonWords.has(word)) ||
    [typed, rest].some((text) => digits.has(text) || luckyDigits.test(text) || dayPattern.test(text) || isPattern(text))
  );
}

const keyboardRuns = [
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  '8ik,',
  '9ol.',
  '1234567890-=',
  '!@#$%^&*()',
];
const adjacentPairs = new Set(keyboardRuns.flatMap((run) => [...run].slice(1).flatMap((sign, at) => [`${run[at]}${sign}`, `${sign}${run[at]}`])));

/** Returns true for a repeated short piece, for at most two different characters, and for nothing but runs along the alphabet, the digits or the keyboard. */
function isPattern(typed: string): boolean {
  if (typed.length < 4) return false;
  return new Set(typed).size <= 2 || /^(.{1,4})\1+.{0,3}$/su.test(typed) || isSequential(typed);
}

function isSequential(typed: string): boolean {
  const follows = (at: number) => Math.abs(typed.charCodeAt(at) - typed.charCodeAt(at - 1)) <= 1 || adjacentPairs.has(typed.slice(at - 1, at + 1));
  let run = 1;
  for (let at = 1; at < typed.length; at += 1) {
    if (follows(at)) run += 1;
    else if (run < 3) return false;
    else run = 1;
  }
  return run >= 3;
}

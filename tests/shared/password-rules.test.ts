import { expect, test } from '@rstest/core';
import { type PasswordWeakness, passwordWeakness } from '../../src/shared/identity/password-rules.ts';

const accountData = ['zhangsan', '张三', '13912345678', 'chen.yu@example.com', '000000', 'Marquee', null, undefined, ''];
const weaknessesOf = (passwords: readonly string[]) => passwords.map((password) => [password, passwordWeakness(password, accountData)]);
const withWeakness = (passwords: readonly string[], weakness: PasswordWeakness | undefined) => passwords.map((password) => [password, weakness]);

test('the only format rule of a password is its length: eight to 128 characters of any kind, spaces and Chinese included', () => {
  const good = [
    'Evening-Lights-2026',
    'correct horse',
    '八个汉字也是密码呀',
    'kqzvtrwmp',
    '8264 1937 5508',
    'aB3-xk9Q-mm2p-Qr7t',
    `x7-${'lange '.repeat(20)}`,
    '🦊🌲🏔️🌊🔥🪵🎻🐚',
  ];
  expect(weaknessesOf(good)).toEqual(withWeakness(good, undefined));
  expect(passwordWeakness('seven-7')).toBe('short');
  expect(passwordWeakness('🦊🌲🏔🌊🔥🪵🎻')).toBe('short');
  expect(passwordWeakness(`${'ab-9 '.repeat(25)}wxyz`)).toBe('long');
});

test('common passwords are refused, in any case and spelling, with any digits and signs around them', () => {
  const common = [
    'password123',
    'P@ssw0rd!',
    'Admin@2024',
    'woaini1314',
    'a12345678',
    'aa1234567',
    '5201314520',
    '19900101',
    'WELCOME1',
    'q1w2e3r4',
    '1a2b3c4d',
  ];
  expect(weaknessesOf(common).filter(([, weakness]) => weakness === undefined)).toEqual([]);
});

test('repetitions and sequences of the alphabet, the digits or the keyboard are refused', () => {
  const patterns = ['aaaaaaaa', 'abababab', 'abcabcabc', 'abcdefgh', '87654321', 'qwertyuiop', '1qaz2wsx', 'qwer1234', 'zxcvasdf'];
  expect(weaknessesOf(patterns)).toEqual(withWeakness(patterns, 'pattern'));
});

test('data of the account is refused as a password, also with digits and signs around it', () => {
  const personal = ['zhangsan', 'ZhangSan2024', '@zhangsan!', '13912345678', '张三201108', 'chen.yu.8866', 'Marquee@2026', 'marquee!8'];
  expect(weaknessesOf(personal).filter(([, weakness]) => weakness === undefined)).toEqual([]);
  expect(passwordWeakness('zhangsan likes tea', accountData)).toBeUndefined();
});

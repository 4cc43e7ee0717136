import { expect, test } from '@rstest/core';
import { secretKeysOf } from '../../../../../src/server/base/configuration/secret-key.ts';
import { Passwords } from '../../../../../src/server/platform/identity/passwords/passwords.ts';
import { Sm2KeyPair } from '../../../../../src/server/platform/identity/passwords/sm2.ts';
import { sm2Encrypt } from '../../../../support/sm2-encrypt.ts';
import { testSecret } from '../../../../support/test-server.ts';

const seed = secretKeysOf(testSecret).sm2[0];
const passwords = new Passwords([seed]);
const text = 'passwort 密码 2026';

/*
 * Made with OpenSSL 3.0.19. The private key below is (seed mod (n - 1)) + 1.
 *   d=4449956776848cbe108770d24ad36ae9e5645b068dd17c992ca3661801a2bc45
 *   printf "30310201010420${d}a00a06082a811ccf5501822d" | xxd -r -p > key.der
 *   openssl ec -inform DER -in key.der -pubout -out public.pem
 *   printf 'passwort 密码 2026' | openssl pkeyutl -encrypt -pubin -inkey public.pem | openssl asn1parse -inform DER
 * The sequence holds x and y of C1 (INTEGER), then C3, then C2 (OCTET STRING).
 */
const openssl = {
  publicKey: '0414974ef10cf76a1b02791a0c7b9483f124aaf7bc67e2e84721a9488f6b0f065aa87c6fba98e611d420c3cddab17766fa46731f0568be49447ff21da1a97c68c1',
  c1: '9798e1d5b009071b469b759a39fbcf3c3007bbd5d68f1400cd7fd943eb675d622b40e03db427bf3a97a4f11a9d5b72b9c94339dcbfc61233159db142827220db',
  c3: '0c9dbbe9cdaf68c1966a8864383c4e1159a5d181a29f424f6aa733e6ba0b165e',
  c2: 'cff25c54ad2660964c9693bcdf3a7a3843249762',
};
const fromOpenssl = openssl.c1 + openssl.c2 + openssl.c3;

/** Made with the npm package sm-crypto 0.5.8, which many consoles use: `sm2.doEncrypt(text, publicKey, 0)`. */
const fromConsole =
  '678643a7bc6d6e8ddfef7e869a5200ad2c700e080d62c325ca59228299c5a971735f5ae8e1ffaa7d1a959ee3948bba366794ab8e6b37f52e105f201586156b267b26ee5b7550538b8a60d38def96ead19cc0509708027da6096ba4fee82ae28f0a32e32cc8b351ce9f70db1b1cd3f66ea00ecdf1';

/** A second ciphertext of the same package, whose first coordinate begins with the byte 04. */
const fromConsoleWith04 =
  '04f832eb3d0e8a0a99b15359174312bff65b4b9cbcbaa7a7025db9f7e816cdc99714404e168c27d20f3150014b95639695f7cde4c79af2ed1ca49eca70ddc83c8b263dd518b8ded284628104d0d4410f2966e944d3df759a0d88abee016aaec90bc20d92304fcb69d5beb4dfe400c99d1ee32a5f';

const hex = (digits: string) => Buffer.from(digits, 'hex');
const readAsPlain = (sent: string) => passwords.read(sent).plain === sent;

test('the public key is the one OpenSSL finds for the same private key, so consoles built with it stay valid', () => {
  expect(passwords.publicKey).toBe(openssl.publicKey);
});

test('ciphertexts of OpenSSL and sm-crypto are decrypted, with and without the leading 04, in upper and lower case', () => {
  for (const cipher of [fromOpenssl, fromConsole, fromConsoleWith04]) {
    const forms = [cipher, `04${cipher}`, cipher.toUpperCase(), `04${cipher.toUpperCase()}`];
    for (const form of forms) expect(passwords.read(form).plain, form.slice(0, 8)).toBe(text);
  }
});

test('the example of GB/T 32918.5 is decrypted', () => {
  const privateKey = BigInt('0x3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8');
  const keyPair = new Sm2KeyPair(hex((privateKey - 1n).toString(16)));
  const c1 = '04ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0';
  const c3 = '59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766';
  expect(keyPair.publicKey).toBe(
    '0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13',
  );
  expect(keyPair.decrypt(hex(`${c1}21886ca989ca9c7d58087307ca93092d651efa${c3}`))).toBe('encryption standard');
});

test('texts of every length up to the limit are decrypted', () => {
  for (const length of [1, 31, 32, 33, 64, 65, 416]) {
    const long = 'x'.repeat(length);
    expect(passwords.read(sm2Encrypt(long, seed)).plain).toBe(long);
  }
  expect(readAsPlain(sm2Encrypt('x'.repeat(417), seed))).toBe(true);
});

const flipped = (cipher: string, at: number) => {
  const bytes = hex(cipher);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('hex');
};
const modulus = 'fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff';

test.each([
  ['a point that is not on the curve', flipped(fromOpenssl, 63)],
  ['a point of order two on another curve', `${'0'.repeat(63)}1${'0'.repeat(64)}${openssl.c2}${openssl.c3}`],
  ['the point at infinity', `${'0'.repeat(128)}${openssl.c2}${openssl.c3}`],
  ['a coordinate that is not below the modulus', `${modulus}${openssl.c1.slice(64)}${openssl.c2}${openssl.c3}`],
  ['an altered text', flipped(fromOpenssl, 64)],
  ['an altered digest', flipped(fromOpenssl, 100)],
  ['the order C1 C3 C2', openssl.c1 + openssl.c3 + openssl.c2],
  ['no text between point and digest', openssl.c1 + openssl.c3],
  ['half a byte', `${fromOpenssl}0`],
  ['a ciphertext cut short', fromOpenssl.slice(0, -2)],
  ['another key', sm2Encrypt(text, secretKeysOf(`${testSecret}, another one`).sm2[0])],
])('%s is not decrypted: it is read as a plain password', (_, sent) => {
  expect(readAsPlain(sent)).toBe(true);
  expect(readAsPlain(`04${sent}`)).toBe(true);
});

test('a megabyte of digits is not decrypted', () => {
  const sent = openssl.c1 + openssl.c2.repeat(25_000) + openssl.c3;
  const before = performance.now();
  expect(readAsPlain(sent)).toBe(true);
  expect(performance.now() - before).toBeLessThan(1000);
});

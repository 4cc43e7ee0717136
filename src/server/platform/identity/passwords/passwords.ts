import { hash as digest, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { commonWords } from '#shared/common-passwords';
import { ApiError } from '#shared/errors';
import { commonAffixes, factsOf, type PasswordWeakness, passwordProblems, passwordWeakness } from '#shared/password-rules';
import { Bulkhead } from '../../../base/bulkhead.ts';
import type { Keys } from '../../../base/configuration/secret-key.ts';
import { Sm2KeyPair } from './sm2.ts';

/** A received password, normalized to the form that is hashed: the md5 hex of the plain text. */
export interface WirePassword {
  readonly canonical: string;
  /** Undefined if only the md5 hex was sent. */
  readonly plain: string | undefined;
}

const md5Pattern = /^[0-9a-f]{32}$/;
/** Matches hex of whole bytes: a point, a digest and at least one byte between them. Decryption is synchronous, so the length is limited. */
const sm2Ciphertext = /^(?:[0-9a-f]{2}){97,512}$/i;

/** Limits of password hashing, which occupies a core: half of the cores stay free regardless of the number of sign-ins. */
const hashingLimits = { concurrency: Math.max(1, Math.floor(availableParallelism() / 2)), queueSize: 500 };

/** Reads passwords sent as plain text, as md5 hex or encrypted with the deployment's SM2 key, and stores them as argon2id. */
export class Passwords {
  /** Imported by servers only: the processes of contained plugins may not load native modules. */
  private readonly argon2 = import('@node-rs/argon2');
  /** Verified for unknown accounts, so that they take as long as known ones. */
  private readonly decoyHash = this.argon2.then(({ hash }) => hash('nobody has this password'));
  private readonly bulkhead = new Bulkhead(hashingLimits);
  private readonly keyPairs: readonly [Sm2KeyPair, ...Sm2KeyPair[]];

  /** Names of the product in `product` must not be part of a password. */
  constructor(
    [sm2Key, ...fallbacks]: Keys,
    private readonly product: readonly string[] = [],
  ) {
    this.keyPairs = [new Sm2KeyPair(sm2Key), ...fallbacks.map((key) => new Sm2KeyPair(key))];
  }

  /** Public key with which BladeX-compatible consoles encrypt passwords. */
  get publicKey(): string {
    return this.keyPairs[0].publicKey;
  }

  read(sent: string): WirePassword {
    if (md5Pattern.test(sent)) return { canonical: sent, plain: undefined };
    const plain = this.decrypted(sent) ?? sent;
    return { canonical: md5Of(plain), plain };
  }

  /** Hashes a password; takes tens of milliseconds and no connection, so never call it inside a transaction. */
  hash({ canonical }: WirePassword): Promise<string> {
    return this.bulkhead.run(async () => (await this.argon2).hash(canonical));
  }

  /** Hashes a password of `generatedPassword`, whose 77 random bits need no slow hash: an import of accounts hashes thousands. */
  async hashGenerated({ canonical }: WirePassword): Promise<string> {
    return (await this.argon2).hash(canonical, quickParameters);
  }

  async matches({ canonical }: WirePassword, stored: string | undefined): Promise<boolean> {
    const [{ verify }, decoyHash] = await Promise.all([this.argon2, this.decoyHash]);
    const against = stored ?? decoyHash;
    return this.bulkhead.run(async () => {
      const same = await verify(against, canonical);
      // A quick hash is verified at the full cost too; otherwise the response time would reveal an account that has never signed in.
      if (isQuick(against)) await verify(decoyHash, canonical);
      return same && stored !== undefined;
    });
  }

  /** Rejects a new password that is easy to guess. `about` lists facts about the account that outsiders may know. For md5 hex only common passwords are detected. */
  async assertStrong({ canonical, plain }: WirePassword, about: readonly (string | null | undefined)[], field?: string): Promise<void> {
    const personalWords = [...about, ...this.product];
    const weakness = plain === undefined ? await digestWeakness(canonical, personalWords) : passwordWeakness(plain, personalWords);
    if (weakness) throw new ApiError(passwordProblems[weakness], {}, field === undefined ? {} : { field });
  }

  /** Decrypts a password. Most consoles omit the leading 04, but a ciphertext may also begin with the byte 04 by chance, so both readings are tried. */
  private decrypted(sent: string): string | undefined {
    if (!sm2Ciphertext.test(sent)) return undefined;
    const bytes = Buffer.from(sent, 'hex');
    const readings = bytes[0] === 4 ? [bytes, bytes.subarray(1)] : [bytes];
    for (const keyPair of this.keyPairs)
      for (const reading of readings) {
        const plain = keyPair.decrypt(reading);
        if (plain) return plain;
      }
    // A plain password may look like long hex.
    return undefined;
  }
}

/** Minimum cost parameters of argon2. */
const quickParameters = { memoryCost: 8, timeCost: 1 };
const isQuick = (stored: string) => stored.includes(`$m=${quickParameters.memoryCost},`);

/** Computed when the first password arrives as md5 hex. */
let commonDigests: Promise<ReadonlySet<string>> | undefined;

async function digestWeakness(md5Hex: string, about: readonly (string | null | undefined)[]): Promise<PasswordWeakness | undefined> {
  commonDigests ??= makeCommonDigests();
  if ((await commonDigests).has(md5Hex)) return 'common';
  const facts = factsOf(about).flatMap((fact) => [fact, capitalised(fact)]);
  return facts.some((fact) => commonAffixes.some((affix) => md5Of(fact + affix) === md5Hex)) ? 'personal' : undefined;
}

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ';
const digits = '23456789';

/** Generates sixteen characters without look-alikes, always with letters and digits. */
export function generatedPassword(): string {
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  const group = () => `${pick(letters)}${pick(letters)}${pick(digits)}${pick(letters)}`;
  return [group(), group(), group(), group()].join('-');
}

const md5Of = (text: string): string => digest('md5', text);
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const wordsPerTurn = 8;

/** Computes the digests of about 150,000 common passwords, a few words in each turn of the event loop. */
export async function makeCommonDigests(): Promise<ReadonlySet<string>> {
  const words = ['', ...'abcqz', 'aa', 'qq', ...commonWords].flatMap((word) => [word, capitalised(word)]);
  const digests = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (const affix of commonAffixes) digests.add(md5Of(word + affix));
    if (at % wordsPerTurn === 0) await new Promise(setImmediate);
  }
  return digests;
}

import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import smCrypto from 'sm-crypto';
import { Bulkhead } from './bulkhead.ts';

const { sm2 } = smCrypto;

/** A password as it came over the wire, brought to the one form that is hashed: the md5 hex of the plain text. */
export interface WirePassword {
  readonly canonical: string;
  /** Absent when only its md5 hex was sent. */
  readonly plain: string | undefined;
}

const md5 = /^[0-9a-f]{32}$/;
/** A point of 128 digits, a digest of 64 and at least one byte between them; consoles leave the leading 04 away. */
const sm2Cipher = /^(04)?([0-9a-f]{194,})$/i;
const inOrderC1C2C3 = 0;

/** Hashing takes a core: however many sign in, half of the cores are left for everybody else. */
const hashing = { concurrency: Math.max(1, Math.floor(availableParallelism() / 2)), queueSize: 500 };

/** Reads passwords sent plain, as md5 hex or encrypted with the deployment's SM2 key, and keeps them as argon2id. */
export class Passwords {
  /** Verified in place of a hash nobody has, so that an unknown account takes as long as a known one. */
  private static readonly nobody = hash('nobody has this password');
  private readonly bulkhead = new Bulkhead(hashing);
  private known: ReturnType<typeof sm2.generateKeyPairHex> | undefined;

  constructor(private readonly sm2Key: Uint8Array) {}

  /** What consoles of the family encrypt passwords with. */
  get publicKey(): string {
    return this.keyPair.publicKey;
  }

  /** Found when it is first asked for: that takes as long as a hash, and most servers are never asked. */
  private get keyPair() {
    this.known ??= sm2.generateKeyPairHex(Buffer.from(this.sm2Key).toString('hex'), 16);
    return this.known;
  }

  read(sent: string): WirePassword {
    if (md5.test(sent)) return { canonical: sent, plain: undefined };
    const plain = this.decrypted(sent) ?? sent;
    return { canonical: createHash('md5').update(plain, 'utf8').digest('hex'), plain };
  }

  /** Takes tens of milliseconds and no connection: never call it inside a transaction. */
  hash({ canonical }: WirePassword): Promise<string> {
    return this.bulkhead.run(() => hash(canonical));
  }

  async matches({ canonical }: WirePassword, stored: string | undefined): Promise<boolean> {
    const against = stored ?? (await Passwords.nobody);
    const same = await this.bulkhead.run(() => verify(against, canonical));
    return same && stored !== undefined;
  }

  private decrypted(sent: string): string | undefined {
    const cipher = sm2Cipher.exec(sent)?.[2];
    if (cipher === undefined) return undefined;
    try {
      return sm2.doDecrypt(cipher, this.keyPair.privateKey, inOrderC1C2C3) || undefined;
    } catch {
      // Not a point on the curve: somebody's plain password that happens to be long hex.
      return undefined;
    }
  }
}

/** At least 8 characters with letters and digits. Of a password sent as md5 nothing can be said. */
export function isStrong({ plain }: WirePassword): boolean {
  return plain === undefined || ([...plain].length >= 8 && /\p{L}/u.test(plain) && /\d/.test(plain));
}

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ';
const digits = '23456789';

/** Sixteen characters nobody mistakes for one another, always with letters and digits. */
export function generatedPassword(): string {
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  const group = () => `${pick(letters)}${pick(letters)}${pick(digits)}${pick(letters)}`;
  return [group(), group(), group(), group()].join('-');
}

import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Bulkhead } from './bulkhead.ts';
import { Sm2KeyPair } from './sm2.ts';

/** A password as it came over the wire, brought to the one form that is hashed: the md5 hex of the plain text. */
export interface WirePassword {
  readonly canonical: string;
  /** Absent when only its md5 hex was sent. */
  readonly plain: string | undefined;
}

const md5 = /^[0-9a-f]{32}$/;
/** Whole bytes: a point, a digest and at least one byte between them. Decryption is synchronous, so the length is bounded. */
const sm2Ciphertext = /^(?:[0-9a-f]{2}){97,512}$/i;

/** Hashing takes a core: however many sign in, half of the cores are left for everybody else. */
const hashing = { concurrency: Math.max(1, Math.floor(availableParallelism() / 2)), queueSize: 500 };

/** Reads passwords sent plain, as md5 hex or encrypted with the deployment's SM2 key, and keeps them as argon2id. */
export class Passwords {
  /** Verified in place of a hash nobody has, so that an unknown account takes as long as a known one. */
  private static readonly nobody = hash('nobody has this password');
  private readonly bulkhead = new Bulkhead(hashing);
  private readonly keyPair: Sm2KeyPair;

  constructor(sm2Key: Uint8Array) {
    this.keyPair = new Sm2KeyPair(sm2Key);
  }

  /** Consoles that speak the BladeX-compatible API encrypt passwords with it. */
  get publicKey(): string {
    return this.keyPair.publicKey;
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

  /** Most consoles leave out the leading 04. A ciphertext may also begin with the byte 04 by chance, so both readings are tried. */
  private decrypted(sent: string): string | undefined {
    if (!sm2Ciphertext.test(sent)) return undefined;
    const bytes = Buffer.from(sent, 'hex');
    const readings = bytes[0] === 4 ? [bytes, bytes.subarray(1)] : [bytes];
    for (const reading of readings) {
      const plain = this.keyPair.decrypt(reading);
      if (plain) return plain;
    }
    // A plain password may happen to be long hex.
    return undefined;
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

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs links to files; each signature is valid for one key until one time. Signatures of fallback secrets stay valid. */
export class Signatures {
  private readonly fallbacks: readonly Uint8Array[];

  constructor(
    private readonly secret: Uint8Array,
    ...fallbacks: readonly Uint8Array[]
  ) {
    this.fallbacks = fallbacks;
  }

  /** Signs a key; `expires` is in seconds since 1970. */
  sign(key: string, expires: number): string {
    return signatureOf(this.secret, key, expires);
  }

  isValid(key: string, expires: number, signature: string): boolean {
    return this.matches(key, expires, signature) && expires * 1000 > Date.now();
  }

  /** Tests whether the signature was made here for this key and time, even if the time has passed. */
  matches(key: string, expires: number, signature: string): boolean {
    const actual = Buffer.from(signature);
    return [this.secret, ...this.fallbacks].some((secret) => {
      const expected = Buffer.from(signatureOf(secret, key, expires));
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  }
}

const signatureOf = (secret: Uint8Array, key: string, expires: number): string => createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');

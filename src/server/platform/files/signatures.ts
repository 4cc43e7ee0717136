import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs links to files; each signature is valid for one key until one time. */
export class Signatures {
  constructor(private readonly secret: Uint8Array) {}

  /** Signs a key; `expires` is in seconds since 1970. */
  sign(key: string, expires: number): string {
    return createHmac('sha256', this.secret).update(`${key}\n${expires}`).digest('base64url');
  }

  isValid(key: string, expires: number, signature: string): boolean {
    return this.matches(key, expires, signature) && expires * 1000 > Date.now();
  }

  /** Tests whether the signature was made here for this key and time, even if the time has passed. */
  matches(key: string, expires: number, signature: string): boolean {
    const [expected, actual] = [Buffer.from(this.sign(key, expires)), Buffer.from(signature)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}

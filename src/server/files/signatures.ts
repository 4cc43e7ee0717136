import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs addresses of files: each signature is good for one key until one moment. */
export class Signatures {
  constructor(private readonly secret: Uint8Array) {}

  /** `expires` in seconds since 1970. */
  sign(key: string, expires: number): string {
    return createHmac('sha256', this.secret).update(`${key}\n${expires}`).digest('base64url');
  }

  holds(key: string, expires: number, signature: string): boolean {
    return this.isFor(key, expires, signature) && expires * 1000 > Date.now();
  }

  /** Whether it was signed here for this key and moment, past or not. */
  isFor(key: string, expires: number, signature: string): boolean {
    const [wanted, given] = [Buffer.from(this.sign(key, expires)), Buffer.from(signature)];
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
}

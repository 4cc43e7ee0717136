import { createCipheriv, createDecipheriv } from 'node:crypto';

const ivBytes = 16;

/**
 * AES-CBC with PKCS7 as BladeX-compatible clients use it, with the key as the initialization vector: it obscures values, while protection comes from TLS. See
 * docs/wire-format.md.
 */
export class WireCipher {
  private readonly key: Buffer;

  /** Takes a key of 16, 24 or 32 bytes. */
  constructor(key: string) {
    this.key = Buffer.from(key, 'utf8');
  }

  /** Decrypts a text; undefined if it is not base64 of a text encrypted with this key. */
  decrypt(encrypted: string): string | undefined {
    try {
      const decipher = createDecipheriv(this.algorithm, this.key, this.key.subarray(0, ivBytes));
      const bytes = Buffer.concat([decipher.update(Buffer.from(encrypted, 'base64')), decipher.final()]);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }

  encrypt(text: string): string {
    const cipher = createCipheriv(this.algorithm, this.key, this.key.subarray(0, ivBytes));
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  }

  private get algorithm(): string {
    return `aes-${this.key.length * 8}-cbc`;
  }
}

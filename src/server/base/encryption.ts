import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const encryptedPattern = /^sealed:([0-9a-f]{8}):([\w-]+)$/;

/** True for text encrypted by `Encryption`. */
export const isEncrypted = (text: string): boolean => encryptedPattern.test(text);

const keyIdOf = (key: Uint8Array): string => createHash('sha256').update('marquee key id').update(key).digest('hex').slice(0, 8);

/** Encrypts texts so that the database and its backups contain no plain secrets: AES-256-GCM, prefixed with the key's id so that keys can be rotated. */
export class Encryption {
  private readonly keys = new Map<string, Uint8Array>();
  private current = '';

  /** Sets the key of 32 bytes for encryption, and fallbacks for decryption; texts encrypted with earlier keys can still be decrypted. */
  setKey(key: Uint8Array, ...fallbacks: readonly Uint8Array[]): void {
    for (const known of [key, ...fallbacks]) this.keys.set(keyIdOf(known), known);
    this.current = keyIdOf(key);
  }

  /** Beginning of all texts that are encrypted with the current key. */
  get prefix(): string {
    return `sealed:${this.current}:`;
  }

  /** Encrypts a text; the result differs on each call. */
  encrypt(text: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key(this.current), iv);
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return this.prefix + sealed.toString('base64url');
  }

  /** Decrypts a text; throws for other texts, for an unknown key and for a modified text. */
  decrypt(sealed: string): string {
    const [, id, content] = encryptedPattern.exec(sealed) ?? [];
    if (id === undefined || content === undefined) throw new Error('The secret is not encrypted.');
    const bytes = Buffer.from(content, 'base64url');
    const decipher = createDecipheriv(algorithm, this.key(id), bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
  }

  private key(id: string): Uint8Array {
    const key = this.keys.get(id);
    if (!key)
      throw new Error(
        id === '' ? 'Secrets cannot be encrypted before the key is available.' : `The secret is encrypted with the key ${id}, which is not available.`,
      );
    return key;
  }
}

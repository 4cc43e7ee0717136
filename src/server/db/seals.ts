import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const form = /^sealed:([0-9a-f]{8}):([\w-]+)$/;

/** True for what `Seals` has made. */
export const isSealed = (text: string): boolean => form.test(text);

/** Seals texts, so that the database and its backups hold none of them in plain: AES-256-GCM, with the id of the key in front, so that another key can follow. */
export class Seals {
  private readonly keys = new Map<string, Uint8Array>();
  private current = '';

  /** From now on texts are sealed with this key of 32 bytes; what earlier ones have sealed is still opened. */
  sealWith(key: Uint8Array): void {
    this.current = createHash('sha256').update('marquee key id').update(key).digest('hex').slice(0, 8);
    this.keys.set(this.current, key);
  }

  /** Never the same twice, also for the same text. */
  seal(text: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.key(this.current), iv);
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `sealed:${this.current}:${sealed.toString('base64url')}`;
  }

  /** Throws for what was not sealed here, for a key that is not known and for a single changed bit. */
  open(sealed: string): string {
    const [, id, content] = form.exec(sealed) ?? [];
    if (id === undefined || content === undefined) throw new Error('A secret is not sealed.');
    const bytes = Buffer.from(content, 'base64url');
    const decipher = createDecipheriv(algorithm, this.key(id), bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
  }

  private key(id: string): Uint8Array {
    const key = this.keys.get(id);
    if (!key)
      throw new Error(id === '' ? 'Secrets cannot be kept before there is a key for them.' : `A secret is sealed with the key ${id}, which is not here.`);
    return key;
  }
}

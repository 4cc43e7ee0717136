import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keys for one purpose each, derived from the deployment's one secret; knowing one tells nothing of another. */
export interface SecretKeys {
  /** Signs access and refresh tokens. */
  readonly token: Uint8Array;
  /** Encrypts secrets at rest. */
  readonly encryption: Uint8Array;
  /** The private key with which consoles of the family encrypt passwords for us. */
  readonly sm2: Uint8Array;
  /** Signs addresses of files. */
  readonly file: Uint8Array;
  /** Signs work that stands in for a captcha. */
  readonly work: Uint8Array;
  /** Signs what goes along with a browser that identifies itself elsewhere. */
  readonly state: Uint8Array;
  /** Keeps one-time codes from being guessed out of their hashes. */
  readonly oneTime: Uint8Array;
}

/** Derives the keys from a secret of at least 32 bytes. */
export function secretKeysOf(secret: string): SecretKeys {
  const derived = (purpose: string, length = 32) => new Uint8Array(hkdfSync('sha256', secret, 'marquee', purpose, length));
  return {
    token: derived('token'),
    encryption: derived('encryption'),
    sm2: derived('sm2', 40),
    file: derived('file'),
    work: derived('work'),
    state: derived('state'),
    oneTime: derived('one-time'),
  };
}

/** The secret kept in the data directory, readable by its owner alone; made when there is none yet. */
export function storedSecret(dataDirectory: string): string {
  const file = join(dataDirectory, 'secret.key');
  mkdirSync(dataDirectory, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (Buffer.byteLength(secret) < 32)
    throw new Error(`${file} holds no usable key. Restore it from a backup; without the old key everybody must sign in again.`);
  return secret;
}

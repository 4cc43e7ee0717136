import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keys for one purpose each, derived from the deployment's secret; none of them reveals another. */
export interface SecretKeys {
  /** Signs access and refresh tokens. */
  readonly token: Uint8Array;
  /** Encrypts secrets at rest. */
  readonly encryption: Uint8Array;
  /** Private key that decrypts passwords sent by BladeX-compatible clients. */
  readonly sm2: Uint8Array;
  /** Signs URLs of files. */
  readonly file: Uint8Array;
  /** Signs the proof-of-work challenges that replace a captcha. */
  readonly proofOfWork: Uint8Array;
  /** Signs the cookie by which an account recognizes a device. */
  readonly device: Uint8Array;
  /** Decides which traces are sampled. */
  readonly traces: Uint8Array;
  /** Derives a key of a plugin for one purpose. */
  readonly ofPlugin: (id: string, purpose: string) => Uint8Array;
  /** Fingerprint that differs between servers with different secrets and reveals nothing about the secret; hexadecimal. */
  readonly fingerprint: string;
}

/** Derives the keys from a secret of at least 32 bytes. */
export function secretKeysOf(secret: string): SecretKeys {
  const derive = (purpose: string, length = 32) => new Uint8Array(hkdfSync('sha256', secret, 'marquee', purpose, length));
  return {
    token: derive('token'),
    encryption: derive('encryption'),
    sm2: derive('sm2', 40),
    file: derive('file'),
    proofOfWork: derive('work'),
    device: derive('device'),
    traces: derive('traces'),
    ofPlugin: (id, purpose) => derive(`plugin/${id}/${purpose}`),
    fingerprint: Buffer.from(derive('fingerprint', 16)).toString('hex'),
  };
}

const secretFile = (dataDirectory: string) => join(dataDirectory, 'secret.key');

/** Reads the secret in the data directory; undefined if there is none. */
export const existingSecret = (dataDirectory: string): string | undefined => (existsSync(secretFile(dataDirectory)) ? storedSecret(dataDirectory) : undefined);

/** Reads the secret in the data directory, readable by its owner only; creates it if it does not exist. */
export function storedSecret(dataDirectory: string): string {
  const file = secretFile(dataDirectory);
  mkdirSync(dataDirectory, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (Buffer.byteLength(secret) < 32)
    throw new Error(`${file} contains no valid key. Restore it from a backup, or set SECRET_KEY. Without the old key all users must sign in again.`);
  return secret;
}

import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const secretFile = (dataDirectory: string) => join(dataDirectory, 'secret.key');

/** Keys for one purpose: the first one signs and encrypts, and all of them verify and decrypt. */
export type Keys = readonly [current: Uint8Array, ...fallbacks: Uint8Array[]];

/** Keys for one purpose each, derived from the deployment's secrets; none of them reveals another. */
export interface SecretKeys {
  /** Sign access and refresh tokens. */
  readonly token: Keys;
  /** Encrypt secrets at rest. */
  readonly encryption: Keys;
  /** Private keys that decrypt passwords sent by BladeX-compatible clients. */
  readonly sm2: Keys;
  /** Sign URLs of files. */
  readonly file: Keys;
  /** Sign the proof-of-work challenges that replace a captcha. */
  readonly proofOfWork: Keys;
  /** Sign the cookie by which an account recognizes a device. */
  readonly device: Keys;
  /** Sign the seals of logs and money. */
  readonly evidence: Keys;
  /** Decides which traces are sampled. */
  readonly traces: Uint8Array;
  /** Derives keys of a plugin for one purpose. */
  readonly ofPlugin: (id: string, purpose: string) => Keys;
  /** Fingerprints of the secrets, which differ between servers with different secrets and reveal nothing about them; hexadecimal. */
  readonly fingerprints: readonly [current: string, ...fallbacks: string[]];
}

/** Derives the keys from secrets of at least 32 bytes, of which the first is the current one. */
export function secretKeysOf(...secrets: readonly [string, ...string[]]): SecretKeys {
  const [current, ...fallbacks] = secrets;
  const derive = (secret: string, purpose: string, length = 32) => new Uint8Array(hkdfSync('sha256', secret, 'marquee', purpose, length));
  const keys = (purpose: string, length?: number): Keys => [derive(current, purpose, length), ...fallbacks.map((secret) => derive(secret, purpose, length))];
  const fingerprintOf = (secret: string) => Buffer.from(derive(secret, 'fingerprint', 16)).toString('hex');
  return {
    token: keys('token'),
    encryption: keys('encryption'),
    sm2: keys('sm2', 40),
    file: keys('file'),
    proofOfWork: keys('work'),
    device: keys('device'),
    evidence: keys('evidence'),
    traces: derive(current, 'traces'),
    ofPlugin: (id, purpose) => keys(`plugin/${id}/${purpose}`),
    fingerprints: [fingerprintOf(current), ...fallbacks.map(fingerprintOf)],
  };
}

/** Settings that name the secrets of a deployment. */
interface SecretSettings {
  readonly secretKey: string | undefined;
  readonly secretKeyFallbacks: readonly string[];
  readonly dataDirectory: string;
}

/** Returns the keys of a deployment; without `SECRET_KEY` those of the file in the data directory, which is created if it does not exist. */
export const deploymentKeys = ({ secretKey, secretKeyFallbacks, dataDirectory }: SecretSettings): SecretKeys =>
  secretKeysOf(secretKey ?? storedSecret(dataDirectory), ...secretKeyFallbacks);

/** Returns the keys of a deployment; undefined if it has no secret yet. */
export const existingKeys = (settings: SecretSettings): SecretKeys | undefined =>
  settings.secretKey !== undefined || existsSync(secretFile(settings.dataDirectory)) ? deploymentKeys(settings) : undefined;

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

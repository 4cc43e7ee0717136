import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** Generates a secret in the form of the Standard Webhooks specification. */
export const generateSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

/** Request to sign. */
export interface SignedMessage {
  /** The same for every attempt, so that receivers can detect repetitions. */
  readonly id: string;
  /** Time of the attempt. */
  readonly at: Date;
  readonly body: string;
}

/** Returns the headers of the Standard Webhooks specification, with one signature for each secret. */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

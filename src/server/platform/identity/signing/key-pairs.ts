import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

/** A public key as other programs read it (RFC 7517). */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** A pair of P-256 keys. Its id is the thumbprint of the public key. */
export interface KeyPair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly published: PublicJwk;
}

/** Creates a pair and returns it as text, which contains the private key. */
export async function generateKeyPair(): Promise<{ readonly kid: string; readonly text: string }> {
  const text = JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
  return { kid: (await readKeyPair(text)).kid, text };
}

/** Reads a pair from its text; throws for other texts. */
export async function readKeyPair(text: string): Promise<KeyPair> {
  const privateKey = createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty, crv, x, y });
  return { kid, privateKey, publicKey, published: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' } };
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { weierstrass } from '@noble/curves/abstract/weierstrass.js';

/** The curve of GB/T 32918.5. */
const curve = {
  p: 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn,
  n: 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123n,
  h: 1n,
  a: 0xfffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffcn,
  b: 0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93n,
  Gx: 0x32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7n,
  Gy: 0xbc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0n,
};
const Point = weierstrass(curve);
const pointBytes = 64;
const digestBytes = 32;

/** An SM2 key pair that decrypts texts; its values are computed on first use. */
export class Sm2KeyPair {
  private readonly privateKey: bigint;
  private computedPublicKey: string | undefined;

  /** Derives the key from the seed. The result must not change between versions, because consoles are built with the public key. */
  constructor(seed: Uint8Array) {
    this.privateKey = (BigInt(`0x${Buffer.from(seed).toString('hex')}`) % (curve.n - 1n)) + 1n;
  }

  /** The uncompressed point: 04 and 128 hex digits. */
  get publicKey(): string {
    this.computedPublicKey ??= Point.BASE.multiply(this.privateKey).toHex(false);
    return this.computedPublicKey;
  }

  /** Decrypts a ciphertext in the order C1 C2 C3, C1 without its leading 04; undefined unless it was encrypted with this key. */
  decrypt(ciphertext: Uint8Array): string | undefined {
    if (ciphertext.length <= pointBytes + digestBytes) return undefined;
    const ephemeral = pointOf(ciphertext.subarray(0, pointBytes));
    if (!ephemeral) return undefined;
    const shared = ephemeral.multiply(this.privateKey).toBytes(false).subarray(1);
    const encrypted = ciphertext.subarray(pointBytes, -digestBytes);
    const mask = derivedKey(shared, encrypted.length);
    const plain = encrypted.map((byte, index) => byte ^ (mask[index] ?? 0));
    const digest = sm3(shared.subarray(0, 32), plain, shared.subarray(32));
    return timingSafeEqual(digest, ciphertext.subarray(-digestBytes)) ? textOf(plain) : undefined;
  }
}

/** Parses a point and rejects one that is not on the curve, because multiplying it would reveal information about the private key. */
function pointOf(coordinates: Uint8Array): InstanceType<typeof Point> | undefined {
  try {
    const point = Point.fromBytes(Uint8Array.of(4, ...coordinates));
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

/** The key derivation function of GB/T 32918.4. */
function derivedKey(shared: Uint8Array, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / digestBytes) }, (_, index) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(index + 1);
    return sm3(shared, counter);
  });
  return Buffer.concat(blocks, length);
}

function sm3(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sm3');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

import { createECDH, createHash } from 'node:crypto';

/** Order of the SM2 curve. */
const order = 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123n;

const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
const sm3 = (...parts: Uint8Array[]) => createHash('sm3').update(Buffer.concat(parts)).digest();

/** Returns the multiple of the base point as OpenSSL computes it, without the leading 04. */
function multiplyBasePoint(scalar: bigint): Buffer {
  const ecdh = createECDH('SM2');
  ecdh.setPrivateKey(bytesOf(scalar));
  return ecdh.getPublicKey().subarray(1);
}

/**
 * Encrypts a text as consoles of the BladeX-compatible API do: hex, C1 C2 C3, no leading 04. It shares no code with the server. The seed is that of the server: with
 * the private key, both points are multiples of the base point, and OpenSSL offers no other multiplication.
 */
export function sm2Encrypt(text: string, seed: Uint8Array): string {
  const privateKey = (BigInt(`0x${Buffer.from(seed).toString('hex')}`) % (order - 1n)) + 1n;
  const ecdh = createECDH('SM2');
  ecdh.generateKeys();
  const nonce = BigInt(`0x${ecdh.getPrivateKey('hex')}`);
  const shared = multiplyBasePoint((nonce * privateKey) % order);
  const plain = Buffer.from(text);
  const encrypted = plain.map((byte, index) => byte ^ (sm3(shared, Buffer.of(0, 0, 0, Math.floor(index / 32) + 1))[index % 32] ?? 0));
  return Buffer.concat([multiplyBasePoint(nonce), encrypted, sm3(shared.subarray(0, 32), plain, shared.subarray(32))]).toString('hex');
}

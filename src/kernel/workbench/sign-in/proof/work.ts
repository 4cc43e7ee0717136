import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { WorkChallenge } from '#shared/auth';

/** Returns the SHA-256 of a text in hex. `crypto.subtle` exists on secure origins only and costs a promise for each digest. */
export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** Finds the number between `from` and `to` from which the challenge was made; `undefined` where it is not among them. */
export function findNumber({ challenge, salt }: WorkChallenge, from: number, to: number): number | undefined {
  for (let number = from; number < to; number++) if (sha256Hex(`${salt}${number}`) === challenge) return number;
  return undefined;
}

/** Message of the worker: its progress from 0 to 1, the solution, or failure. */
export type WorkReport = { readonly fraction: number } | { readonly number: number } | { readonly isUnsolvable: true };

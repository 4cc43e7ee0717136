import type { WorkChallenge } from '#shared/auth';
import { sha256 } from './sha256.ts';

/** The number between two others that a challenge was made with; nothing where it is not among them. */
export function numberBetween({ challenge, salt }: WorkChallenge, from: number, to: number): number | undefined {
  const encoder = new TextEncoder();
  for (let number = from; number < to; number++) if (sha256(encoder.encode(salt + number)) === challenge) return number;
  return undefined;
}

/** What a worker says: how far it is, from 0 to 1, or what it has found. */
export type WorkReport = { readonly fraction: number } | { readonly number: number } | { readonly isHopeless: true };

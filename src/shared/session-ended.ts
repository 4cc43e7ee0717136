import { event } from './contract.ts';

/** Why a session has ended before its time. */
export const sessionEndings = ['logged-out', 'ended-elsewhere', 'kicked', 'password-changed', 'reused', 'access-withdrawn'] as const;
export type SessionEnding = (typeof sessionEndings)[number];

/** Told live to the consoles of a session that has just ended, right before their stream does. */
export const SessionEnded = event<{ reason: SessionEnding }>('auth:session-ended');

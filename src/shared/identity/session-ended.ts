import { event } from '../contract/contract.ts';

/** Reasons for the end of a session before it expires. */
export const sessionEndings = ['logged-out', 'ended-elsewhere', 'kicked', 'password-changed', 'reused', 'access-withdrawn', 'tenant-suspended'] as const;
export type SessionEnding = (typeof sessionEndings)[number];

/** Sent to the consoles of a session that has just ended, right before their event stream closes. */
export const SessionEnded = event<{ reason: SessionEnding }>('auth:session-ended');

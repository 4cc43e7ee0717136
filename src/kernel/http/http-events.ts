import { event } from '#shared/contract';

/** The server answered 423: this session is locked. The lock page unlocks it; nothing is toasted. */
export const SessionLocked = event<{ path: string }>('http:session-locked');

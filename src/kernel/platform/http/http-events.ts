import { event } from '#shared/contract';

/** Emitted when the server answered 423: this session is locked. The lock page unlocks it; no toast is shown. */
export const SessionLocked = event<{ path: string }>('http:session-locked');

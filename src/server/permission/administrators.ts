import type { Principal } from '../auth/principal.ts';

const aliases = new Set(['administrator', 'admin']);

/** Whether somebody administers the platform or their tenant. */
export const administers = ({ roles }: Principal): boolean => roles.some((role) => aliases.has(role));

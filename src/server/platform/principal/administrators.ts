import type { Principal } from './principal.ts';

const aliases = new Set(['administrator', 'admin']);

/** Tests whether a principal administers the platform or their tenant. */
export const administers = ({ roles }: Principal): boolean => roles.some((role) => aliases.has(role));

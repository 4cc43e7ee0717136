import type { Principal } from '../principal/principal.ts';

/** An event to be sent to consoles. */
export interface LiveEvent {
  /** Decimal id that increases with the creation time. */
  readonly id: string;
  /** '*' for every tenant. */
  readonly tenant: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly name: string;
  readonly payload: unknown;
}

/** Placeholder for every tenant. */
export const everyTenant = '*';

/** Tests whether a principal receives an event. */
export function isRecipient({ tenant, user, role }: Pick<LiveEvent, 'tenant' | 'user' | 'role'>, { tenantId, userId, roles }: Principal): boolean {
  if (tenant !== everyTenant && tenant !== tenantId) return false;
  if (user !== null && user !== userId) return false;
  return role === null || roles.includes(role);
}

/** Formats an event as `text/event-stream`. An event without an id does not change the position from which a console resumes. */
export function formatEvent({ id, name, payload }: Pick<LiveEvent, 'name' | 'payload'> & { readonly id?: string | undefined }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
}

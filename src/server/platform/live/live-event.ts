import type { Principal } from '../principal/principal.ts';

/** An event to be sent to consoles. */
export interface LiveEvent {
  /** Id that sorts by creation time; decimal text. */
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

/** Tests whether an event is meant for a principal. */
export function concerns({ tenant, user, role }: Pick<LiveEvent, 'tenant' | 'user' | 'role'>, { tenantId, userId, roles }: Principal): boolean {
  if (tenant !== everyTenant && tenant !== tenantId) return false;
  if (user !== null && user !== userId) return false;
  return role === null || roles.includes(role);
}

/** Formats an event as `text/event-stream`. One without an id does not change the position from which a console resumes. */
export function frameOf({ id, name, payload }: Pick<LiveEvent, 'name' | 'payload'> & { readonly id?: string | undefined }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
}

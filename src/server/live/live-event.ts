import type { Principal } from '../auth/principal.ts';

/** An event on its way to consoles. */
export interface LiveEvent {
  /** Sorts by time of birth; decimal text. */
  readonly id: string;
  /** '*' for every tenant. */
  readonly tenant: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly name: string;
  readonly payload: unknown;
}

/** Stands for every tenant. */
export const everyTenant = '*';

/** Whether somebody is among those an event is for. */
export function concerns({ tenant, user, role }: Pick<LiveEvent, 'tenant' | 'user' | 'role'>, { tenantId, userId, roles }: Principal): boolean {
  if (tenant !== everyTenant && tenant !== tenantId) return false;
  if (user !== null && user !== userId) return false;
  return role === null || roles.includes(role);
}

/** An event as `text/event-stream`. One without an id does not move the place from which a console resumes. */
export function frameOf({ id, name, payload }: Pick<LiveEvent, 'name' | 'payload'> & { readonly id?: string | undefined }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
}

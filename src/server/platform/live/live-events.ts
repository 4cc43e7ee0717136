import { sql } from 'drizzle-orm';
import type { EventToken } from '#shared/contract';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { Principal } from '../principal/principal.ts';
import { type Audience, Live } from './live.ts';

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
const everyTenant = '*';

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

const topic = 'live-event';
const maxPayloadBytes = 6000;
/** Maximum seconds between the id of an event and its commit. */
const overlapSeconds = 60;
/** Retention of events; a console that was away longer, or missed more, reloads its data instead. */
const retentionMinutes = 60;
const maxResumed = 500;

/** Live events in PostgreSQL: an event is written in the transaction that causes it and signalled to every replica; reconnecting consoles read the events they missed. */
export class LiveEvents extends Live {
  constructor(private readonly db: Database) {
    super();
  }

  override async publish<Payload>({ name }: EventToken<Payload>, payload: Payload, audience: Audience): Promise<void> {
    const text = JSON.stringify(payload);
    if (Buffer.byteLength(text) > maxPayloadBytes) throw new Error(`The event ${name} is longer than ${maxPayloadBytes} bytes.`);
    const { tenant, user, role } = this.recipientsOf(audience);
    const write = async () => {
      const [row] = await queryRows<{ id: string }>(
        this.db,
        sql`insert into live_event (tenant_id, user_id, role, name, payload) values (${tenant}, ${user}, ${role}, ${name}, ${text}::jsonb) returning id::text as id`,
      );
      await this.db.signal(topic, JSON.stringify({ id: row?.id ?? '', tenant, user, role, name, payload } satisfies LiveEvent));
    };
    if (tenant === everyTenant) await this.db.asPlatform('stores an event for every tenant', write);
    else await this.db.write({ tenantId: tenant }, write);
  }

  /** Subscribes to the events of every tenant as they are committed on any replica. */
  onPublished(listener: (event: LiveEvent) => void): () => void {
    return this.db.onSignal(topic, (payload) => {
      const event = JSON.parse(payload) as LiveEvent;
      // A console that reads again because of the event must not get the state before it.
      this.db.announceChange(event.tenant);
      listener(event);
    });
  }

  /** Returns the current position in the stream of events: later events have greater ids. */
  async now(): Promise<string> {
    const [row] = await this.db.read({ tenantId: 'anonymous' }, () => queryRows<{ id: string }>(this.db, sql`select ${positionAt(0)}::text as id`));
    return row?.id ?? '0';
  }

  /** Returns the events after a position for one listener, oldest first, possibly with some sent before; undefined if the position has expired. */
  async since(lastEventId: string, principal: Principal): Promise<LiveEvent[] | undefined> {
    if (!/^\d{1,19}$/.test(lastEventId) || BigInt(lastEventId) > maxId) return undefined;
    return this.db.read({ tenantId: principal.tenantId }, async () => {
      const [retention] = await queryRows<{ isRetained: boolean }>(
        this.db,
        sql`select ${lastEventId}::bigint >= ${positionAt(retentionMinutes * 60)} as "isRetained"`,
      );
      if (!retention?.isRetained) return undefined;
      const events = await queryRows<LiveEvent>(
        this.db,
        sql`select ${columns} from live_event where id > ${lastEventId}::bigint - ${overlap}
              and (user_id is null or user_id = ${principal.userId}) order by id limit ${maxResumed + 1}`,
      );
      return events.length > maxResumed ? undefined : events.filter((event) => isRecipient(event, principal));
    });
  }

  /** Returns the latest events of every tenant, for a replica that may have missed a signal. */
  latest(): Promise<LiveEvent[]> {
    return this.db.asPlatform('reads the latest events for all connections of a replica', () =>
      queryRows<LiveEvent>(this.db, sql`select ${columns} from live_event where id > ${positionAt(overlapSeconds)} order by id limit 2000`),
    );
  }

  private recipientsOf(audience: Audience): Pick<LiveEvent, 'tenant' | 'user' | 'role'> {
    if ('everyone' in audience) return { tenant: everyTenant, user: null, role: null };
    const tenant = audience.tenant ?? this.db.scope?.tenantId;
    if (tenant === undefined) throw new Error('An event published as the platform must name its tenant.');
    return { tenant, user: 'user' in audience ? audience.user : null, role: 'role' in audience ? audience.role : null };
  }
}

const maxId = 9_223_372_036_854_775_807n;
const columns = sql.raw(`id::text as id, tenant_id as tenant, user_id::text as "user", role, name, payload`);
/** Returns the position this many milliseconds before another; undefined if the text is not a number. */
export const positionBefore = (eventId: string, milliseconds: string): string | undefined =>
  /^\d{1,9}$/.test(milliseconds) ? String(BigInt(eventId) - (BigInt(milliseconds) << 22n)) : undefined;

/** Computes the id of an event created at a time: ids contain the creation time in milliseconds above the lower 22 bits. */
const positionAt = (secondsAgo: number) => sql.raw(`(((extract(epoch from clock_timestamp()) * 1000)::bigint - 1704067200000 - ${secondsAgo * 1000}) << 22)`);
const overlap = sql.raw(`(${overlapSeconds * 1000}::bigint << 22)`);

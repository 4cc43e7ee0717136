import { sql } from 'drizzle-orm';
import type { TObject } from 'typebox';
import type { Call } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { editing, editingIntervalMs, RecordEditorsChanged, RecordSaved } from '#shared/live';
import { actingAs } from '../../data/context/actor.ts';
import type { Change } from '../../data/context/changes.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { authorize, authorizeInput } from '../http/authorize-call.ts';
import { type KernelRequest, type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';

const topic = 'record-editors';
const expiryMs = editingIntervalMs * 3;
const maxFormsPerRecord = 50;

interface Editor {
  readonly userId: string;
  readonly name: string;
  /** `Date.now()` at which the announcement expires. */
  readonly until: number;
}

/** An announcement or a save, as it is signalled to every replica. */
interface EditorSignal {
  readonly entity: string;
  readonly id: string;
  readonly userId: string;
  /** Name of the user. */
  readonly name: string;
  readonly form?: string;
  readonly ends?: boolean;
  /** Time of a save. */
  readonly savedAt?: string;
}

/** Receives an event for the consoles of one user. */
type Deliver = (userId: string, name: string, payload: unknown) => void;

/** The users who have the form of a record open, known to every replica by signals. Only users who may read and edit the record announce themselves or receive these events. */
export class RecordEditors {
  /** Editors by user and form, by record. */
  private readonly records = new Map<string, Map<string, Editor>>();
  private routes: readonly Route[] = [];
  private deliver: Deliver = () => undefined;

  constructor(private readonly db: Database) {
    db.onSignal(topic, (payload) => this.onSignal(JSON.parse(payload) as EditorSignal));
  }

  /** Sets the routes whose permissions decide who may edit a record. */
  setRoutes(routes: readonly Route[]): void {
    this.routes = routes;
  }

  setDelivery(deliver: Deliver): void {
    this.deliver = deliver;
  }

  /** Serves the announcements of open forms. */
  readonly route = route(editing, (request) => this.announce(request), { manualTransactions: true, unlogged: true });

  /** Notifies the others who edit the rows of a committed write; called in its transaction. */
  async saved({ userId }: Principal, changes: readonly Change[]): Promise<void> {
    for (const { entity, id, after } of changes) {
      const editors = this.records.get(keyOf({ entity, id }));
      if (!after || !editors || [...editors.values()].every((editor) => editor.userId === userId)) continue;
      await this.signal({ entity, id, userId, name: await this.nameOf(userId), savedAt: String(after.updateTime ?? '') });
    }
  }

  /** Removes expired announcements, such as those of closed browsers. */
  sweep(): void {
    const now = Date.now();
    for (const [key, editors] of this.records) {
      const expired = [...editors].filter(([, { until }]) => until < now);
      if (expired.length === 0) continue;
      this.change(key, () => {
        for (const [form] of expired) editors.delete(form);
      });
    }
  }

  private async announce({ input: { entity, id, form, ends = false }, principal, language }: KernelRequest<typeof editing>): Promise<{ editors: string[] }> {
    const { tenantId, userId } = principal;
    if (!ends) await this.assertMayEdit({ entity, id }, principal, language);
    const name = await this.db.read({ tenantId }, () => this.nameOf(userId));
    await this.signal({ entity, id, userId, name, form, ends });
    return { editors: ends ? [] : this.othersThan(userId, keyOf({ entity, id })) };
  }

  /** Throws `notFound` unless a call that saves rows of the entity is allowed and one that reads them returns this row. */
  private async assertMayEdit({ entity, id }: { entity: string; id: string }, principal: Principal, language: KernelRequest['language']): Promise<void> {
    const routes = this.routes.filter(({ call }) => (call.reply as { entity?: string }).entity === entity);
    const mayEdit = routes.some((one) => one.call.method === 'POST' && isAllowed(one, principal, { id }));
    for (const one of mayEdit ? routes.filter(({ call }) => call.method === 'GET' && needsIdAtMost(call)) : []) {
      if (isAllowed(one, principal, { id }) && (await this.reads(one, id, { principal, language }))) return;
    }
    throw new ApiError(problems.notFound);
  }

  private async reads(one: Route, id: string, { principal, language }: Pick<KernelRequest, 'principal' | 'language'>): Promise<boolean> {
    const origin = { address: '', host: '', userAgent: '', requestId: '', header: () => '' };
    const request: KernelRequest = { input: { id } as never, principal, language, origin, setCookie: () => undefined };
    const read = () => actingAs(principal, async () => (await one.handler(request)) as { id?: string } | null);
    try {
      const row = await (one.manualTransactions ? read() : this.db.read({ tenantId: principal.tenantId }, read));
      return row?.id === id;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  private async nameOf(userId: string): Promise<string> {
    const [user] = await queryRows<{ name: string }>(
      this.db,
      sql`select coalesce(nullif(real_name, ''), account) as name from user_account where id = ${userId}::bigint`,
    );
    return user?.name ?? '';
  }

  private signal(signal: EditorSignal): Promise<void> {
    return this.db.signal(topic, JSON.stringify(signal));
  }

  private onSignal({ entity, id, userId, name, form, ends, savedAt }: EditorSignal): void {
    const key = keyOf({ entity, id });
    if (savedAt !== undefined) {
      const others = new Set([...(this.records.get(key)?.values() ?? [])].map((editor) => editor.userId).filter((one) => one !== userId));
      for (const other of others) this.deliver(other, RecordSaved.name, { entity, id, changedBy: name || null, changedAt: savedAt });
      return;
    }
    this.change(key, (editors) => {
      const formKey = `${userId}:${form}`;
      if (ends) editors.delete(formKey);
      else if (editors.has(formKey) || editors.size < maxFormsPerRecord) editors.set(formKey, { userId, name, until: Date.now() + expiryMs });
    });
  }

  /** Changes the editors of a record and notifies them if their names are others than before. */
  private change(key: string, work: (editors: Map<string, Editor>) => void): void {
    const editors = this.records.get(key) ?? new Map<string, Editor>();
    const users = () => [...new Set([...editors.values()].map(({ userId }) => userId))].sort();
    const before = users();
    work(editors);
    if (editors.size > 0) this.records.set(key, editors);
    else this.records.delete(key);
    const after = users();
    if (before.join() === after.join()) return;
    const [entity, id] = key.split(':');
    for (const userId of after) this.deliver(userId, RecordEditorsChanged.name, { entity, id, editors: this.othersThan(userId, key) });
  }

  private othersThan(userId: string, key: string): string[] {
    const others = [...(this.records.get(key)?.values() ?? [])].filter((editor) => editor.userId !== userId);
    return [...new Map(others.map((editor) => [editor.userId, editor.name])).values()];
  }
}

const keyOf = ({ entity, id }: { readonly entity: string; readonly id: string }) => `${entity}:${id}`;

const needsIdAtMost = ({ input }: Call) => ((input as Partial<TObject> & { required?: readonly string[] }).required ?? []).every((name) => name === 'id');

function isAllowed(one: Route, principal: Principal, input: object): boolean {
  try {
    authorize(one, principal);
    authorizeInput(one.call, principal, input);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

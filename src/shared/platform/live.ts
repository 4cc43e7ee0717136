import * as Type from 'typebox';
import { event, get, NoInput, post } from '../contract/contract.ts';
import { Id } from '../contract/fields.ts';

/**
 * Stream of live events for a signed-in console, as `text/event-stream`. The header `Last-Event-ID` resumes after the event with that id; `Live-Since: n` resumes with
 * the events of the last n milliseconds.
 */
export const liveEvents = get('/api/live/events', {
  title: ['实时事件', 'Live events'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Unsafe<string>({ type: 'string' }),
});

/** First event of a connection. */
export interface LiveOpening {
  /** Id of the console build that this server delivers; it changes with an upgrade. */
  readonly build: string;
  /** Changes whenever the caller's permissions change. */
  readonly permissions: string;
  /** Ids of the plugins disabled in the caller's tenant; other BladeX-compatible servers send none. */
  readonly off?: readonly string[];
  /** True if the server runs core plugins only. */
  readonly safe?: boolean;
  /** False where events may have been missed, so that the console must reload what it shows. */
  readonly resumed: boolean;
}

/** A connection has opened. */
export const LiveOpened = event<LiveOpening>('live:opened');

/** The listener's roles, grants or menus have changed, so that menu and permission codes must be loaded again. */
export const PermissionChanged = event<Record<string, never>>('auth:permission-changed');

/** Heartbeat interval in milliseconds: a connection sends at least a comment this often. */
export const liveHeartbeatMs = 15_000;

/**
 * Announces that the caller has the form of a record open, or closes it with `ends`. An announcement expires, so it is repeated at the interval `editingIntervalMs`.
 * Replies with the names of the others who edit the record; 404 for a record that the caller may not both read and edit.
 */
export const editing = post('/api/live/editing', {
  title: ['正在编辑', 'Editing'],
  access: 'signedIn',
  input: Type.Object({
    entity: Type.String({ maxLength: 64 }),
    id: Id(),
    /** Identifies the opened form among those of the user. */
    form: Type.String({ maxLength: 64 }),
    ends: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ editors: Type.Array(Type.String()) }),
});

/** Milliseconds after which an open form announces itself again; an announcement is valid for three of them. */
export const editingIntervalMs = 15_000;

/** Names a record. */
export interface RecordName {
  readonly entity: string;
  readonly id: string;
}

/** Others have begun or stopped to edit a record; sent to users who edit it. */
export const RecordEditorsChanged = event<RecordName & { readonly editors: readonly string[] }>('record:editors-changed');

/** Another user has saved a record; sent to users who edit it. */
export const RecordSaved = event<RecordName & { readonly changedBy: string | null; readonly changedAt: string }>('record:saved');

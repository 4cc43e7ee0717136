import * as Type from 'typebox';
import { event, get, NoInput } from '../contract/contract.ts';

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

import { Unsafe } from 'typebox';
import { event, get, Nothing } from './contract.ts';

/** Where a signed-in console hears what happens, as `text/event-stream`. The header `Last-Event-ID` resumes after the event of that id, `Live-Since` as many milliseconds ago. */
export const liveEvents = get('/api/live/events', {
  title: ['实时事件', 'Live events'],
  who: 'signedIn',
  input: Nothing,
  reply: Unsafe<string>({ type: 'string' }),
});

/** What a connection begins with. */
export interface LiveOpening {
  /** Names the console this server delivers; another value after an upgrade. */
  readonly build: string;
  /** Changes with what the caller may do. */
  readonly permissions: string;
  /** Ids of the plugins that are off in the caller's tenant; servers of the family name none. */
  readonly off?: readonly string[];
  /** True: the server has started core plugins alone. */
  readonly safe?: boolean;
  /** False where events may have been missed: whoever shows something asks for it anew. */
  readonly resumed: boolean;
}

/** A connection is open. */
export const LiveOpened = event<LiveOpening>('live:opened');

/** Roles, grants or menus of the listener have changed: menu and codes are to be asked for again. */
export const PermissionChanged = event<Record<string, never>>('auth:permission-changed');

/** Milliseconds within which a connection says something, if only that it is there. */
export const liveHeartbeat = 15_000;

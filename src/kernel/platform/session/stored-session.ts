import { filter, firstValueFrom, race, Subject, timer } from 'rxjs';
import type { TokenReply, UserInfo } from '#shared/auth';
import type { SessionEnding } from '#shared/session-ended';
import { withBase } from '../browser/base-path.ts';
import type { JsonStorage } from '../browser/storage.ts';
import { sessionKeys } from './session-keys.ts';

/** The stored session: its owner, its age and its tokens. */
export interface SessionRecord {
  readonly version: 1;
  /** `tenant/user`: a record of another owner is another session. */
  readonly owner: string;
  /** Milliseconds since 1970 at which the access token was granted. */
  readonly savedAt: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserInfo;
}

/** A session that the server refuses to continue, with the reason where the server gave one. */
export interface EndedSession {
  readonly owner: string;
  readonly ending?: SessionEnding | undefined;
}

/** Returns the owner of data: `tenant/user`. */
export const ownerOf = ({ tenant_id, user_id }: Pick<UserInfo, 'tenant_id' | 'user_id'>): string => `${tenant_id}/${user_id}`;

/** Returns the aliases of a user's roles. */
export const rolesOf = ({ role_name }: Pick<UserInfo, 'role_name'>): string[] => role_name?.split(',').filter(Boolean) ?? [];

/** Builds the record of a grant. */
export function recordOf({ access_token, refresh_token, token_type: _, expires_in: __, ...user }: TokenReply): SessionRecord {
  return {
    version: 1,
    owner: ownerOf(user),
    savedAt: Date.now(),
    accessToken: access_token,
    refreshToken: refresh_token,
    user: { ...user, roles: rolesOf(user) },
  };
}

/** Cookie attribute that removes a cookie. */
const expired = '; expires=Thu, 01 Jan 1970 00:00:00 GMT';
const name = 'session';
const endedName = 'session-ended';
/** Longest delay of a storage write from another tab, in milliseconds. */
const waitMs = 1000;

/** Stores the session in local storage, which is authoritative, and its two tokens in cookies. Of the cookies only an emptied access token is read: it ends the session. */
export class StoredSession {
  /** Emits when another browser tab may have changed the record. */
  readonly changed$ = new Subject<void>();
  private readonly onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === this.storage.keyOf(name)) this.changed$.next();
  };

  constructor(
    private readonly storage: JsonStorage,
    private readonly prefix: string,
    /** Session storage of this window, which holds the last known menu, permissions and open tabs. */
    private readonly windowStorage: JsonStorage,
  ) {
    window.addEventListener('storage', this.onStorage);
  }

  /** Returns `undefined` when there is no record, its version is unknown or its token is empty. */
  read(): SessionRecord | undefined {
    const record = this.storage.read<Partial<SessionRecord>>(name);
    const isWhole = record?.version === 1 && record.accessToken && record.owner && record.user;
    return isWhole && !this.hasEmptyCookie() ? (record as SessionRecord) : undefined;
  }

  /** Removes everything a session has left in this browser if its record or cookie exists with an empty token; otherwise does nothing. */
  clearIfEmptied(): void {
    const record = this.storage.read<Partial<SessionRecord> | null>(name);
    if (!this.hasEmptyCookie() && record?.accessToken !== '' && !(record?.version === 1 && !record.accessToken)) return;
    this.clear();
    this.clearTraces();
  }

  /** Removes what a session leaves in this browser beside its record and its tokens. */
  clearTraces(): void {
    this.storage.remove(sessionKeys.lock);
    this.storage.remove(sessionKeys.unconfirmedLock);
    this.windowStorage.remove(sessionKeys.menu);
    this.windowStorage.remove(sessionKeys.permissions);
    this.windowStorage.removeByPrefix(sessionKeys.tabs);
  }

  /** The reason the last session ended, unless a user signed out. */
  get ended(): EndedSession | undefined {
    return this.storage.read<EndedSession>(endedName);
  }

  /** Resolves when this tab reads an access token other than `previousToken`, after a second at the latest: a write of another tab arrives later than the lock that tab released. */
  async waitForNewToken(previousToken: string): Promise<void> {
    const isNew = () => this.read()?.accessToken !== previousToken;
    if (!isNew()) await firstValueFrom(race(this.changed$.pipe(filter(isNew)), timer(waitMs)), { defaultValue: undefined });
  }

  write(record: SessionRecord): void {
    this.storage.remove(endedName);
    this.storage.write(name, record);
    this.setCookie('access-token', record.accessToken);
    this.setCookie('refresh-token', record.refreshToken);
  }

  /** Writes the reason first, so that other tabs know it before they notice that the session has ended. */
  clear(ended?: EndedSession): void {
    if (ended) this.storage.write(endedName, ended);
    else this.storage.remove(endedName);
    this.storage.remove(name);
    this.setCookie('access-token', '', expired);
    this.setCookie('refresh-token', '', expired);
  }

  dispose(): void {
    window.removeEventListener('storage', this.onStorage);
    this.changed$.complete();
  }

  private hasEmptyCookie(): boolean {
    return document.cookie.split('; ').includes(`${this.prefix}access-token=`);
  }

  private setCookie(cookie: string, value: string, extra = ''): void {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only.
    document.cookie = `${this.prefix}${cookie}=${encodeURIComponent(value)}; path=${withBase('/')}; SameSite=Strict${secure}${extra}`;
  }
}

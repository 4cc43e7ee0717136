import { filter, firstValueFrom, race, Subject, timer } from 'rxjs';
import type { TokenReply, UserInfo } from '#shared/auth';
import type { SessionEnding } from '#shared/session-ended';
import type { JsonStorage } from '../storage.ts';

/** What is kept of a session: whose it is, since when, its tokens. */
export interface SessionRecord {
  readonly version: 1;
  /** Tenant and user: a record of another owner is another session. */
  readonly owner: string;
  /** Milliseconds since 1970, when the access token was granted. */
  readonly savedAt: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: UserInfo;
}

/** A session that the server refuses to go on with, and why where it said so. */
export interface EndedSession {
  readonly owner: string;
  readonly ending?: SessionEnding | undefined;
}

/** Whose something is: tenant and user. */
export const ownerOf = ({ tenant_id, user_id }: Pick<UserInfo, 'tenant_id' | 'user_id'>): string => `${tenant_id}/${user_id}`;

/** The aliases of somebody's roles. */
export const rolesOf = ({ role_name }: Pick<UserInfo, 'role_name'>): string[] => role_name?.split(',').filter(Boolean) ?? [];

/** The record of a grant. */
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

const name = 'session';
const endedName = 'session-ended';
/** How long what another tab has written may be on its way, in milliseconds. */
const patience = 1000;

/** The session in local storage, which decides, and its two tokens in cookies, which `product.md` §4 asks for and nobody reads. */
export class StoredSession {
  /** Something may have changed the record from another browser tab. */
  readonly changed$ = new Subject<void>();
  private readonly onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === this.storage.keyOf(name)) this.changed$.next();
  };

  constructor(
    private readonly storage: JsonStorage,
    private readonly prefix: string,
  ) {
    window.addEventListener('storage', this.onStorage);
  }

  /** Nothing when there is no record, its version is foreign or its token empty. */
  read(): SessionRecord | undefined {
    const record = this.storage.read<Partial<SessionRecord>>(name);
    return record?.version === 1 && record.accessToken && record.owner && record.user ? (record as SessionRecord) : undefined;
  }

  /** How the last session ended, unless somebody chose to end it. */
  get ended(): EndedSession | undefined {
    return this.storage.read<EndedSession>(endedName);
  }

  /** Resolves when this tab reads another access token than this one, at the latest after a second: what another tab has written arrives after the lock it gave back. */
  async caughtUp(known: string): Promise<void> {
    const isNew = () => this.read()?.accessToken !== known;
    if (!isNew()) await firstValueFrom(race(this.changed$.pipe(filter(isNew)), timer(patience)), { defaultValue: undefined });
  }

  write(record: SessionRecord): void {
    this.storage.remove(endedName);
    this.storage.write(name, record);
    this.setCookie('access-token', record.accessToken);
    this.setCookie('refresh-token', record.refreshToken);
  }

  /** Other tabs learn how it ended before they learn that it has. */
  clear(ended?: EndedSession): void {
    if (ended) this.storage.write(endedName, ended);
    else this.storage.remove(endedName);
    this.storage.remove(name);
    this.setCookie('access-token', '', '; max-age=0');
    this.setCookie('refresh-token', '', '; max-age=0');
  }

  dispose(): void {
    window.removeEventListener('storage', this.onStorage);
    this.changed$.complete();
  }

  private setCookie(cookie: string, value: string, extra = ''): void {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only.
    document.cookie = `${this.prefix}${cookie}=${encodeURIComponent(value)}; path=/; SameSite=Strict${secure}${extra}`;
  }
}

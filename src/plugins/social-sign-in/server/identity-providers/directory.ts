import { connect as connectSecurely } from 'node:tls';
import type { Client, Entry, Filter } from 'ldapts';
import { ApiError, type ServerContext } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { connectionOptions, filterOf, idsFilter, idText, presenceFilter } from './ldap-filters.ts';
import type { LdapProvider } from './stored-providers.ts';

const timeoutMs = 5000;
/** Entries that one search looks up. */
const idsPerSearch = 50;

/** Settings by which directories say that a user cannot sign in: OpenLDAP, 389 Directory Server, eDirectory, Active Directory. */
const stateAttributes = ['pwdAccountLockedTime', 'nsAccountLock', 'loginDisabled', 'userAccountControl'] as const;
/** Bit of `userAccountControl`. */
const accountDisabled = 2;
/** Value of `pwdAccountLockedTime` of an account that an administrator has locked. */
const lockedForever = '000001010000Z';

/** A user as the directory describes them. */
export interface DirectoryUser {
  /** Permanent id. */
  readonly id: string;
  readonly dn: string;
  readonly account: string;
  readonly name: string;
  readonly email: string;
  /** Groups, each by its full name and by the first part of it. */
  readonly groups: readonly string[];
}

/** LDAP directory of a tenant. Every call opens a connection of its own, under the rules for addresses that users enter, and closes it. */
export class Directory {
  constructor(
    private readonly provider: LdapProvider,
    private readonly egress: ServerContext['egress'],
  ) {}

  /** Returns the only user of an account name whose password is right; undefined for any other. An empty password, with which directories bind anyone, is never sent. */
  async authenticate(account: string, password: string): Promise<DirectoryUser | undefined> {
    if (account === '' || password === '') return undefined;
    return this.withBinding(async (client) => {
      const found = await this.search(client, await filterOf(this.provider.userFilter, { account }), 2);
      const [entry] = found;
      if (found.length !== 1 || !entry || isDisabled(entry)) return undefined;
      const isRight = await this.acceptsPassword(entry.dn, password);
      return isRight ? this.userOf(client, entry) : undefined;
    });
  }

  /** Finds the users with these ids who still match the filter and are not disabled, by id. */
  findByIds(ids: readonly string[]): Promise<Map<string, DirectoryUser>> {
    const { userFilter, idAttribute } = this.provider;
    return this.withBinding(async (client) => {
      const users = new Map<string, DirectoryUser>();
      for (let from = 0; from < ids.length; from += idsPerSearch) {
        const wanted = ids.slice(from, from + idsPerSearch);
        for (const entry of await this.search(client, await idsFilter(userFilter, idAttribute, wanted))) {
          const user = isDisabled(entry) ? undefined : await this.userOf(client, entry);
          if (user) users.set(user.id, user);
        }
      }
      return users;
    });
  }

  /** Connects, binds and reads one user; returns whether there is any. */
  check(): Promise<boolean> {
    return this.withBinding(async (client) => (await this.search(client, presenceFilter(this.provider.userFilter), 1)).length > 0);
  }

  private async withBinding<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const { bindDn, bindPassword } = this.provider;
    // An empty password would bind anonymously and find no user.
    if (bindPassword === '') throw this.unavailable(new Error('has no bind password'));
    return this.withConnection(async (client) => {
      await client.bind(bindDn, bindPassword);
      return work(client);
    });
  }

  private async acceptsPassword(dn: string, password: string): Promise<boolean> {
    const { InvalidCredentialsError } = await import('ldapts');
    return this.withConnection(async (client) => {
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (error instanceof InvalidCredentialsError) return false;
        throw error;
      }
    });
  }

  private async withConnection<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const { Client } = await import('ldapts');
    const { url, tls } = connectionOptions(this.provider);
    const { egress } = this;
    const client = new Client({
      url,
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      strictDN: false,
      createConnection: ((port: number, host: string) => egress.socket().connect(port, host)) as never,
      createSecureConnection: ((...target: [number, string] | [object]) => {
        const [port, host] = target;
        if (typeof port === 'object') return connectSecurely(port);
        const socket = egress.socket().connect(port, String(host));
        const secure = connectSecurely({ ...tls, socket });
        socket.on('error', (error) => secure.destroy(error));
        return secure;
      }) as never,
    });
    try {
      if (this.provider.startTls && !url.startsWith('ldaps:')) await client.startTLS({ ...tls });
      return await work(client);
    } catch (error) {
      throw error instanceof ApiError ? error : this.unavailable(error);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  /** Finds users; of more than `limit` at least as many. */
  private async search(client: Client, filter: string | Filter, limit?: number): Promise<Entry[]> {
    const { baseDn, idAttribute, accountAttribute, nameAttribute, emailAttribute, groupAttribute } = this.provider;
    const attributes = [idAttribute, accountAttribute, nameAttribute, emailAttribute, groupAttribute, ...stateAttributes];
    const options = { scope: 'sub' as const, filter, attributes, explicitBufferAttributes: [idAttribute] };
    if (limit === undefined) return (await client.search(baseDn, options)).searchEntries;
    const entries: Entry[] = [];
    for await (const { searchEntries } of client.searchPaginated(baseDn, { ...options, paged: { pageSize: limit } })) {
      entries.push(...searchEntries);
      if (entries.length >= limit) break;
    }
    return entries;
  }

  private async userOf(client: Client, entry: Entry): Promise<DirectoryUser | undefined> {
    const { idAttribute, accountAttribute, nameAttribute, emailAttribute, groupAttribute, groupBaseDn, groupFilter } = this.provider;
    const id = idText(idAttribute, entry[idAttribute]);
    if (id === '') return undefined;
    const account = textOf(entry, accountAttribute);
    const groups = textsOf(entry, groupAttribute);
    if (groupBaseDn !== undefined) {
      const filter = await filterOf(groupFilter, { dn: entry.dn, account });
      const found = await client.search(groupBaseDn, { scope: 'sub', filter, attributes: ['1.1'], paged: true });
      groups.push(...found.searchEntries.map(({ dn }) => dn));
    }
    return { id, dn: entry.dn, account, name: textOf(entry, nameAttribute), email: textOf(entry, emailAttribute), groups: groups.flatMap(groupNames) };
  }

  private unavailable(error: unknown): ApiError {
    const reason = error instanceof Error ? `${error.name} ${error.message}`.slice(0, 200) : String(error);
    return new ApiError(signInMethodProblems.providerUnavailable, {}, { cause: new Error(`${this.provider.address}: ${reason}`, { cause: error }) });
  }
}

function textsOf(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  return [key === undefined ? [] : (entry[key] ?? [])].flat().map(String);
}

const textOf = (entry: Entry, name: string) => textsOf(entry, name)[0] ?? '';

function isDisabled(entry: Entry): boolean {
  const [locked, nsLocked, disabled, control] = stateAttributes.map((name) => textOf(entry, name));
  return locked === lockedForever || [nsLocked, disabled].some((value) => value?.toLowerCase() === 'true') || (Number(control) & accountDisabled) !== 0;
}

/** Returns the full name of a group, and the value of its first part: `cn=staff,ou=groups` is `staff` as well. */
function groupNames(name: string): string[] {
  const first = /^[\w.-]+=((?:\\.|[^,+\\])+)/.exec(name)?.[1];
  return first === undefined ? [name] : [name, first.replace(/\\(.)/g, '$1')];
}

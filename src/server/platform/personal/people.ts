import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { isId, queryRows, textArray } from '../../data/database/rows.ts';
import type { PersonalRecords, PersonKey } from './personal-records.ts';

/** Names by which a person is looked up: an account, its id, or the phone number or e-mail address of someone without an account. */
export interface PersonReference {
  readonly account?: string | undefined;
  readonly userId?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

/** A person of a tenant, and everything by which rows name them. */
export interface Person {
  readonly tenantId: string;
  /** Undefined for someone without an account. */
  readonly userId: string | undefined;
  readonly account: string | undefined;
  /** Name by which a user confirms whom an erasure concerns. */
  readonly name: string;
  readonly phones: readonly string[];
  readonly emails: readonly string[];
}

/** Finds a person, in a transaction of the tenant. A phone number or address finds the rows that contain it, and no account: that has to be named itself. */
export async function findPerson(db: Database, tenantId: string, { account, userId, phone, email }: PersonReference): Promise<Person | undefined> {
  if (account === undefined && userId === undefined) {
    const name = phone ?? email;
    if (name === undefined) return undefined;
    return { tenantId, userId: undefined, account: undefined, name, phones: phone ? [phone] : [], emails: email ? [email.toLowerCase()] : [] };
  }
  const isNamed = userId === undefined ? sql`lower(account) = lower(${account ?? ''}) and is_deleted = 0` : sql`id = ${isId(userId) ? userId : '0'}::bigint`;
  const [user] = await queryRows<{ id: string; account: string; name: string; phone: string | null; email: string | null }>(
    db,
    sql`select id::text as id, account, coalesce(nullif(real_name, ''), account) as name, phone, email from user_account where tenant_id = ${tenantId} and ${isNamed}`,
  );
  if (!user) return undefined;
  const given = (one: string | null | undefined) => (one ? [one] : []);
  return {
    tenantId,
    userId: user.id,
    account: user.account,
    name: user.name,
    phones: [...new Set([...given(user.phone), ...given(phone)])],
    emails: [...new Set([...given(user.email), ...given(email)].map((one) => one.toLowerCase()))],
  };
}

/** Condition for the rows about a person; undefined if none can be, because nothing by which the table names people is known. */
export function isAbout({ person: columns }: PersonalRecords, person: Person): SQL | undefined {
  const tests = Object.entries(columns).flatMap(([column, key]) => testOf(sql`${sql.identifier(column)}`, key, person) ?? []);
  return tests.length === 0 ? undefined : sql`(${sql.join(tests, sql` or `)})`;
}

function testOf(column: SQL, key: PersonKey, { userId, account, phones, emails }: Person): SQL | undefined {
  switch (key) {
    case 'user':
      return userId === undefined ? undefined : sql`${column} = ${userId}::bigint`;
    case 'account':
      return account === undefined ? undefined : sql`lower(${column}) = lower(${account})`;
    case 'phone':
      return phones.length === 0 ? undefined : sql`${column} = any(${textArray(phones)})`;
    case 'email':
      return emails.length === 0 ? undefined : sql`lower(${column}) = any(${textArray(emails)})`;
  }
}

/** A plugin with what it holds about people; `kernel` for the server itself. */
export interface PersonalSource {
  readonly plugin: string;
  readonly title: readonly [string, string];
  readonly records: readonly PersonalRecords[];
}

/** Returns the declared tables that exist, because a plugin of the build may never have been started. */
export async function existingRecords(db: Database, sources: readonly PersonalSource[]): Promise<(PersonalRecords & { readonly plugin: string })[]> {
  const declared = sources.flatMap(({ plugin, records }) => records.map((one) => ({ ...one, plugin })));
  const rows = await queryRows<{ name: string }>(
    db,
    sql`select name from unnest(${textArray(declared.map(({ table }) => table))}) as listed (name) where to_regclass(quote_ident(name)) is not null`,
  );
  const names = new Set(rows.map(({ name }) => name));
  return declared.filter(({ table }) => names.has(table));
}

import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { generateKeyPair } from './key-pairs.ts';

/** Seconds for which other programs and caches may use a copy of the published keys. */
export const cacheSeconds = 600;
/** Seconds for which a key is published before it signs, which is longer than any copy of the published keys is used. */
const publishedSeconds = 3600;
/** Seconds by which the time of the last use of a key is set ahead, so that few tokens need a write. */
const aheadSeconds = 3600;

/** Signal to all servers that keys were added or removed. */
export const keysChanged = 'signing-keys-changed';

/** A stored key pair. */
export interface StoredKey {
  readonly kid: string;
  /** The encrypted pair. */
  readonly privateKey: string;
  /** False for the next key. */
  readonly hasBegun: boolean;
  /** Seconds since 1970 by which all tokens of the key have expired; 0 if it has signed none. */
  readonly neededUntil: number;
}

/** Reads all keys in the order in which they sign; call it inside `asPlatform`. */
export const readKeys = (db: Database): Promise<StoredKey[]> =>
  queryRows<StoredKey>(
    db,
    sql`select kid, private_key as "privateKey", coalesce(signs_from <= clock_timestamp(), false) as "hasBegun",
          coalesce(extract(epoch from needed_until), 0)::float8 as "neededUntil"
        from signing_key order by signs_from nulls last, create_time, kid`,
  );

/** Records that a token of a key expires at a time, in seconds since 1970; returns the time until which the key is kept, undefined for a key that was removed. */
export async function keepUntil(db: Database, kid: string, expiresAt: number): Promise<number | undefined> {
  const [row] = await db.asPlatform('keeps a signing key until its tokens have expired', () =>
    queryRows<{ neededUntil: number }>(
      db,
      sql`update signing_key set needed_until = greatest(needed_until, to_timestamp(${expiresAt + aheadSeconds})) where kid = ${kid}
          returning extract(epoch from needed_until)::float8 as "neededUntil"`,
    ),
  );
  return row?.neededUntil;
}

/**
 * Creates the keys that are missing: one that signs and the next one. With `days`, the next key replaces a key that has signed for that long. Removes keys without valid
 * tokens, and keys that `SECRET_KEY` and its fallbacks do not decrypt: nothing can sign with them.
 */
export function completeKeys(db: Database, days?: number): Promise<void> {
  return changeKeys(db, 'creates and replaces signing keys', async () => {
    const unreadable = (await readKeys(db)).filter(({ privateKey }) => !isReadable(db, privateKey)).map(({ kid }) => kid);
    const removed = await queryRows(
      db,
      sql`delete from signing_key k where kid in (select jsonb_array_elements_text(${JSON.stringify(unreadable)}::jsonb))
            or coalesce(needed_until, signs_from) < clock_timestamp() - make_interval(secs => ${publishedSeconds})
              and exists (select from signing_key later where later.signs_from > k.signs_from
                and later.signs_from < clock_timestamp() - make_interval(secs => ${publishedSeconds}))
          returning kid`,
    );
    const begun = days === undefined ? [] : await beginNext(db, days);
    const added = await addMissing(db);
    return removed.length + begun.length + added > 0;
  });
}

/** Lets the next key sign, if it is published for long enough and the current one has signed for some days. */
const beginNext = (db: Database, days: number) =>
  queryRows(
    db,
    sql`update signing_key set signs_from = clock_timestamp()
        where kid = (select kid from signing_key where signs_from is null order by create_time, kid limit 1)
          and create_time <= clock_timestamp() - make_interval(secs => ${publishedSeconds})
          and not exists (select from signing_key where signs_from > clock_timestamp() - make_interval(days => ${days}))
        returning kid`,
  );

/** Adds a key that signs at once if there is none, and a next one if there is none; returns their number. */
async function addMissing(db: Database): Promise<number> {
  const keys = await readKeys(db);
  const missing = [...(keys.some(({ hasBegun }) => hasBegun) ? [] : [true]), ...(keys.some(({ hasBegun }) => !hasBegun) ? [] : [false])];
  for (const isCurrent of missing) await addKey(db, isCurrent);
  return missing.length;
}

async function addKey(db: Database, isCurrent: boolean): Promise<void> {
  const { kid, text } = await generateKeyPair();
  await queryRows(
    db,
    sql`insert into signing_key (kid, private_key, signs_from) values (${kid}, ${db.encryption.encrypt(text)}, case when ${isCurrent}::boolean then clock_timestamp() end)
        returning kid`,
  );
}

/** Time from which a key signs. */
export interface Rotation {
  readonly kid: string;
  /** Text in the time zone of the deployment. */
  readonly signsFrom: string;
  /** False if the key has not been published for long enough. */
  readonly hasBegun: boolean;
}

/**
 * Lets the next key sign as soon as it has been published for an hour, which usually is at once. With `isRevocation`, removes all keys instead, so that their tokens are
 * refused, and a new one signs at once.
 */
export async function rotateKeys(db: Database, isRevocation: boolean): Promise<Rotation> {
  await changeKeys(db, 'replaces the signing key by command', async () => {
    if (isRevocation) {
      await queryRows(db, sql`delete from signing_key returning kid`);
      await invalidatePrincipals(db, { everyone: true });
    } else await beginNextEarly(db);
    await addMissing(db);
    return true;
  });
  const [rotation] = await db.asPlatform('reads the key that a command has chosen', () =>
    queryRows<Rotation>(
      db,
      sql`select kid, to_char(signs_from, 'YYYY-MM-DD HH24:MI:SS') as "signsFrom", signs_from <= clock_timestamp() as "hasBegun"
          from signing_key where signs_from is not null order by signs_from desc limit 1`,
    ),
  );
  if (!rotation) throw new Error('The database has no signing key. Start the server once, then try again.');
  return rotation;
}

/** Lets the next key sign as soon as it has been published for long enough, unless that is already decided. */
const beginNextEarly = (db: Database) =>
  queryRows(
    db,
    sql`update signing_key set signs_from = greatest(clock_timestamp(), create_time + make_interval(secs => ${publishedSeconds}))
        where kid = (select kid from signing_key where signs_from is null order by create_time, kid limit 1)
          and not exists (select from signing_key where signs_from > clock_timestamp()) returning kid`,
  );

/** Changes keys, one server at a time, and tells all servers if the work returns true. */
function changeKeys(db: Database, reason: string, work: () => Promise<boolean>): Promise<void> {
  return db.asPlatform(reason, async () => {
    await db.lock('signing-keys');
    if (await work()) await db.signal(keysChanged, '{}');
  });
}

function isReadable({ encryption }: Database, text: string): boolean {
  try {
    encryption.decrypt(text);
    return true;
  } catch {
    return false;
  }
}

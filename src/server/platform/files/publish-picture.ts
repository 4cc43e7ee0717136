import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { imageTypes } from './content-type.ts';

const linkPattern = /^\/api\/file\/blob\?key=([0-9a-f]{32})(?:&|$)/;

/** Returns the key of the file behind a link of this server, signed or not. */
export const keyOfLink = (address: string): string | undefined => linkPattern.exec(address)?.[1];

/** Makes a picture public on behalf of its owner and returns a link that never expires; undefined if the link is not a picture of that owner. Call it inside `write`. */
export async function publishPicture(db: Database, address: string, ownerId: string): Promise<string | undefined> {
  const key = keyOfLink(address);
  if (!key) return undefined;
  const published = await queryRows(
    db,
    sql`update stored_file set is_public = true
        where key = ${key} and owner_id = ${ownerId} and stage = 'kept' and expires_at is null and type = any(${`{${[...imageTypes].join(',')}}`}::text[]) returning 1`,
  );
  return published.length > 0 ? `/api/file/blob?key=${key}` : undefined;
}

import type { SQL } from 'drizzle-orm';
import { isEncrypted } from '../../base/encryption.ts';
import type { Database } from './database.ts';
import { queryRows } from './rows.ts';

/** Texts that an earlier release has stored in the clear, with a mask for lists. */
export interface PlainTexts {
  /** Selects `id` and `text` of so many rows in the clear, and locks them without those that are locked already. An index keeps it fast once none is left. */
  readonly find: (limit: number) => SQL;
  /** Stores a JSON array of objects with `id`, the encrypted `text` and its `mask`. */
  readonly store: (rows: string) => SQL;
  readonly maskOf: (text: string) => string;
}

const batchSize = 200;

/** Decrypts a stored text; one that an earlier release has left in the clear is returned as it is. */
export const decryptStored = ({ encryption }: Pick<Database, 'encryption'>, text: string): string => (isEncrypted(text) ? encryption.decrypt(text) : text);

/** Encrypts a batch of texts and masks them; resolves true while there may be more. Other servers can do so at the same time. */
export async function encryptPlainTexts(db: Database, { find, store, maskOf }: PlainTexts): Promise<boolean> {
  const found = await queryRows<{ id: string; text: string }>(db, find(batchSize));
  const encrypted = found.map(({ id, text }) => ({ id, text: db.encryption.encrypt(text), mask: maskOf(text) }));
  if (found.length > 0) await db.sql.execute(store(JSON.stringify(encrypted)));
  return found.length === batchSize;
}

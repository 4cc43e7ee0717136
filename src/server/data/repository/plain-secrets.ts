import { sql } from 'drizzle-orm';
import { isEncrypted } from '../../base/encryption.ts';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';

/** Column with encrypted texts, of which an earlier release has left some in the clear, and the column with what lists show of them. */
export interface MaskedColumn {
  readonly table: string;
  readonly column: string;
  readonly maskColumn: string;
  readonly maskOf: (text: string) => string;
}

const batchSize = 200;

/** Decrypts a stored text; one that an earlier release has left in the clear is returned as it is. */
export const decryptStored = ({ encryption }: Pick<Database, 'encryption'>, text: string): string => (isEncrypted(text) ? encryption.decrypt(text) : text);

/**
 * Encrypts texts of a column that are in the clear and not empty, and masks them anew; resolves true while there may be more. Other servers can do so at the same time.
 * An index of these rows keeps it fast once none is left.
 */
export async function encryptPlainTexts(db: Database, { table, column, maskColumn, maskOf }: MaskedColumn): Promise<boolean> {
  const [stored, mask] = [sql.identifier(column), sql.identifier(maskColumn)];
  const found = await queryRows<{ id: string; text: string }>(
    db,
    sql`select id::text as id, ${stored} as text from ${sql.identifier(table)}
        where ${stored} <> '' and ${stored} not like 'sealed:%' order by id limit ${batchSize} for update skip locked`,
  );
  if (found.length === 0) return false;
  const encrypted = found.map(({ id, text }) => ({ id, text: db.encryption.encrypt(text), mask: maskOf(text) }));
  await db.sql.execute(
    sql`update ${sql.identifier(table)} t set ${stored} = e.text, ${mask} = e.mask
        from jsonb_to_recordset(${JSON.stringify(encrypted)}::jsonb) as e (id bigint, text text, mask text) where t.id = e.id`,
  );
  return found.length === batchSize;
}

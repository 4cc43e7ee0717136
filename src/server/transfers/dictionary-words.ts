import type { TSchema } from 'typebox';
import { type Option, traitsOf } from '#shared/fields';
import type { Database } from '../db/database.ts';

/** Reads the entries of a dictionary. */
export type ReadEntries = (code: string) => Promise<readonly Option[]>;

/** The entries of dictionaries in words, as the plugin that keeps them answers; none where no plugin does. */
export class DictionaryWords {
  private read: ReadEntries | undefined;

  constructor(private readonly db: Database) {}

  readFrom(read: ReadEntries): void {
    this.read = read;
  }

  /** The entries of every dictionary these fields choose from, by its code. */
  async of(tenantId: string, schemas: readonly TSchema[]): Promise<ReadonlyMap<string, readonly Option[]>> {
    const { read } = this;
    const codes = new Set(schemas.flatMap((schema) => traitsOf(schema)?.dictionary ?? []));
    if (!read || codes.size === 0) return new Map();
    return this.db.read({ tenantId }, async () => new Map(await Promise.all([...codes].map(async (code) => [code, await read(code)] as const))));
  }
}

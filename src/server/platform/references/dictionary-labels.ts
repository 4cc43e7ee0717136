import type { TSchema } from 'typebox';
import { type Option, traitsOf } from '#shared/fields';
import type { Database } from '../../data/database/database.ts';

/** Reads the entries of a dictionary. */
export type ReadEntries = (code: string) => Promise<readonly Option[]>;

/** Entries of dictionaries with their labels, from the plugin that stores them; empty without such a plugin. */
export class DictionaryLabels {
  private read: ReadEntries | undefined;

  constructor(private readonly db: Database) {}

  setReader(read: ReadEntries): void {
    this.read = read;
  }

  /** Reads the entries of one dictionary. */
  async entries(tenantId: string, code: string): Promise<readonly Option[]> {
    const { read } = this;
    return read ? this.db.read({ tenantId }, () => read(code)) : [];
  }

  /** Reads the entries of every dictionary these fields refer to, by its code. */
  async of(tenantId: string, schemas: readonly TSchema[]): Promise<ReadonlyMap<string, readonly Option[]>> {
    const { read } = this;
    const codes = new Set(schemas.flatMap((schema) => traitsOf(schema)?.dictionary ?? []));
    if (!read || codes.size === 0) return new Map();
    return this.db.read({ tenantId }, async () => new Map(await Promise.all([...codes].map(async (code) => [code, await read(code)] as const))));
  }
}

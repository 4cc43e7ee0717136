import type { TSchema } from 'typebox';
import { type DeclaredDictionary, type Option, traitsOf } from '#shared/fields';
import type { Database } from '../../data/database/database.ts';

/** Reads the entries of a dictionary. */
export type ReadEntries = (code: string) => Promise<readonly Option[]>;

/** Adds the dictionaries that never existed. */
export type WriteDictionaries = (dictionaries: readonly DeclaredDictionary[]) => Promise<void>;

/** Entries of dictionaries with their labels, from the plugin that stores them; empty without such a plugin. */
export class DictionaryLabels {
  private read: ReadEntries | undefined;
  private write: WriteDictionaries | undefined;

  constructor(private readonly db: Database) {}

  setStore({ readDictionary, writeDictionaries }: { readonly readDictionary: ReadEntries; readonly writeDictionaries?: WriteDictionaries }): void {
    this.read = readDictionary;
    this.write = writeDictionaries;
  }

  /** Writes the dictionaries that plugins declare. */
  async add(dictionaries: readonly DeclaredDictionary[]): Promise<void> {
    const { write } = this;
    if (write && dictionaries.length > 0) await this.db.asPlatform('writes the dictionaries of plugins', () => write(dictionaries));
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

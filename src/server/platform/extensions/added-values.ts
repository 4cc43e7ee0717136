import { type SQL, sql } from 'drizzle-orm';
import type { EntityExtension } from '#shared/entity-extension';
import { recordChange } from '../../data/context/changes.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { typeOfField } from '../../data/schema/field-type.ts';

type Values = Readonly<Record<string, unknown>>;
type StoredExtensionValue = { readonly id: string; readonly plugin: string; readonly value: Values };

/** Selects the value of an added field for the row whose id the SQL names; null if there is none. */
export function addedValue<X extends EntityExtension>({ plugin, entity, fields }: X, field: keyof X['fields'] & string, rowId: SQL): SQL {
  const { sqlType } = typeOfField(fields[field] as X['fields'][string]);
  return sql`(select (added.value ->> ${field})::${sql.raw(sqlType)} from added_value added
              where added.entity = ${entity} and added.row_id = ${rowId} and added.plugin_id = ${plugin})`;
}

/** Stores the values of added fields beside their rows, in the current transaction. */
export class AddedValues {
  constructor(private readonly db: Database) {}

  /** Reads the values these plugins have added to these rows: by row, then by wire name. */
  async of(entity: string, ids: readonly string[], plugins: readonly string[]): Promise<ReadonlyMap<string, Values>> {
    if (ids.length === 0) return new Map();
    const storedValues = await queryRows<StoredExtensionValue>(
      this.db,
      sql`select row_id::text as id, plugin_id as plugin, value from added_value
          where entity = ${entity} and row_id = any(${`{${ids.join(',')}}`}::bigint[]) and plugin_id = any(${`{${plugins.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`,
    );
    const found = new Map<string, Values>();
    for (const { id, plugin, value } of storedValues) found.set(id, { ...found.get(id), ...named(plugin, value) });
    return found;
  }

  /** Stores values of a row; missing ones stay unchanged, `null` clears. */
  async save({ plugin, entity }: EntityExtension, id: string, values: Values): Promise<void> {
    const before = (await this.of(entity, [id], [plugin])).get(id) ?? {};
    await this.db.sql.execute(
      sql`insert into added_value (entity, row_id, plugin_id, value) values (${entity}, ${id}, ${plugin}, jsonb_strip_nulls(${JSON.stringify(values)}::jsonb))
          on conflict (tenant_id, entity, row_id, plugin_id) do update set value = jsonb_strip_nulls(added_value.value || ${JSON.stringify(values)}::jsonb)`,
    );
    recordChange({ entity, id, before, after: { ...before, ...named(plugin, values) } });
  }

  /** Copies the added values of a row to its copy. */
  async copy(entity: string, from: string, to: string, plugins: readonly string[]): Promise<void> {
    await this.db.sql.execute(
      sql`insert into added_value (entity, row_id, plugin_id, value) select entity, ${to}, plugin_id, value from added_value
          where entity = ${entity} and row_id = ${from} and plugin_id = any(${`{${plugins.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`,
    );
  }
}

const named = (plugin: string, values: Values): Values => Object.fromEntries(Object.entries(values).map(([name, value]) => [`${plugin}:${name}`, value]));

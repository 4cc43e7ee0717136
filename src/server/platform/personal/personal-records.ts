import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { personalKindOf } from '#shared/fields';
import type { IntegerParameter } from '#shared/parameters';
import { type LocalizedText, snakeCase } from '#shared/text';

/** Property of a person by which a column names them. */
export type PersonKey = 'user' | 'account' | 'phone' | 'email';

/** Reason why rows stay when a person is erased. */
export interface KeptRows {
  /** The law or the business that requires them. */
  readonly reason: LocalizedText;
  /** Time at which they are deleted. */
  readonly until: LocalizedText;
  /** SQL condition on the columns of the table for the rows that stay; all by default. */
  readonly where?: string;
}

/** Rows of a table with an id that are erased some time after an event, without a request of the person. */
export interface Retention {
  /** Number of days, which each tenant can set if the parameter is per tenant. */
  readonly days: IntegerParameter;
  /** Column with the time from which the days count. */
  readonly since: string;
  /** SQL condition on the columns of the table for the rows to which this applies; all by default. Rows that an erasure keeps stay in any case. */
  readonly where?: string;
}

/** Rows of a table that a plugin holds about people. The person is named by a column of each row. */
export interface PersonalRecords {
  readonly table: string;
  readonly title: LocalizedText;
  /** Columns that name the person, and by what; a row is about the person if one of them matches. */
  readonly person: Readonly<Record<string, PersonKey>>;
  /** Columns that an export contains. */
  readonly columns: readonly string[];
  /** Columns that are encrypted with the key of the deployment; an export contains their text. */
  readonly encrypted?: readonly string[];
  /** `delete`, or the values that replace those of the person: `{id}` in a text stands for the id of the row. Undefined where all rows are kept. */
  readonly erase?: 'delete' | Readonly<Record<string, string | number | null>>;
  readonly kept?: KeptRows;
  readonly retention?: Retention;
}

const erased: LocalizedText = ['已删除', 'Erased'];
/** Text in place of an erased name. */
export const erasedName = erased[0];

interface RecordOptions extends Pick<PersonalRecords, 'title' | 'kept' | 'retention'> {
  /** Fields that name the person, and by what. */
  readonly person: Readonly<Record<string, PersonKey>>;
  /** `delete`, further fields with their new values, or `none` to keep all rows as they are. By default each personal field of the contract is cleared. */
  readonly erase?: 'delete' | 'none' | Readonly<Record<string, string | number | null>>;
  /** Personal fields that are erased; all by default. */
  readonly fields?: readonly string[];
}

/** Declares what an entity holds about people, as far as possible from its contract: an export contains its fields, and an erasure clears the personal ones. */
export function recordsOf(entity: Entity, { person, title, kept, retention, erase = {}, fields }: RecordOptions): PersonalRecords {
  const stored = Object.entries(entity.fields).filter(([name]) => name !== 'version');
  const personal = stored.filter(([name, schema]) => personalKindOf(schema) && (fields === undefined || fields.includes(name)));
  const columnOf = (name: string) => snakeCase(name);
  const cleared = personal.map(([name, schema]) => {
    const isNullable = [(schema as { type?: string | readonly string[] }).type].flat().includes('null') || isSecret(schema);
    return [columnOf(name), isNullable ? null : erasedName] as const;
  });
  const further = typeof erase === 'string' ? [] : Object.entries(erase).map(([name, value]) => [columnOf(name), value] as const);
  const secrets = stored.filter(([, schema]) => isSecret(schema));
  return {
    table: snakeCase(entity.name),
    title,
    person: Object.fromEntries(Object.entries(person).map(([name, key]) => [columnOf(name), key])),
    columns: stored.filter(([, schema]) => !isSecret(schema)).map(([name]) => columnOf(name)),
    encrypted: secrets.filter(([, schema]) => personalKindOf(schema)).map(([name]) => columnOf(name)),
    ...(erase === 'none' ? {} : { erase: erase === 'delete' ? erase : Object.fromEntries([...cleared, ...further]) }),
    ...(kept ? { kept } : {}),
    ...(retention ? { retention } : {}),
  };
}

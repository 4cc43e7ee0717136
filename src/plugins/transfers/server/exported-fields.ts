import type { TSchema } from 'typebox';
import { isHidden } from '#server';
import type { Crud, Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { TransferTarget } from './sheet-forms.ts';
import { columnsOf } from './sheets/cells.ts';

/** Selects the fields of an entity that may be exported: those in its list or form, except write-only ones. */
function exportableFields(entity: Entity, form: TSchema = entity.form): Record<string, TSchema> {
  const formFieldNames = new Set(Object.keys((form as { properties?: object }).properties ?? {}));
  const columns = columnsOf(entity.fields, 'zh').filter(
    ({ name, traits, schema }) =>
      traits.widget !== 'secret' &&
      !isHidden(entity, name) &&
      !(schema as { writeOnly?: boolean }).writeOnly &&
      (traits.list !== false || (formFieldNames.has(name) && name !== 'id' && name !== 'version')),
  );
  return Object.fromEntries(columns.map(({ name, schema }) => [name, schema]));
}

/** Returns the requested columns in their order, or all by default. */
export function selectedFields({ entity, crud }: TransferTarget, names: readonly string[] | undefined): Record<string, TSchema> {
  // A screen may show fields that no form contains.
  const all = exportableFields(entity, (crud.submit as Crud['submit'] | undefined)?.input ?? entity.form);
  if (!names) return all;
  const unknown = names.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new ApiError(problems.wrongParameter, { name: unknown });
  return Object.fromEntries(names.map((name) => [name, all[name] as TSchema]));
}

/** True if files of the list can be imported again, so that each label in them must lead back to its row. */
export const isImportable = ({ crud }: TransferTarget): boolean => (crud.import as Crud['import'] | undefined) !== undefined;

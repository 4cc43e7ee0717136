import type { LocalizedText } from '#shared/text';
import { classOf, isReservedName, propertyOf } from '../names.ts';
import { emit } from './emit.ts';
import { isReserved } from './migration-file.ts';
import type { EmittedFile, FieldPlan } from './plan.ts';

/** Id and title of a new plugin, and the menu group of its page. */
export interface ScaffoldInput {
  readonly id: string;
  readonly title: LocalizedText;
  readonly under: string;
}

const defaults = { isMultiple: false, preset: undefined, isUnique: false, isSortable: false };

const fields: readonly FieldPlan[] = [
  {
    ...defaults,
    name: 'name',
    builder: 'Text',
    traits: { title: ['名称', 'Name'], maxLength: 64, search: true, sort: true },
    isOptional: false,
    sqlType: 'varchar(64)',
    isUnique: true,
    isSortable: true,
    sample: 'First',
  },
  { ...defaults, name: 'remark', builder: 'Text', traits: { title: ['备注', 'Remark'] }, isOptional: true, sqlType: 'varchar(255)', sample: 'Anything' },
];

const isFree = (name: string) => !isReservedName(name) && !(name in globalThis);

/** Emits a starter plugin: one list of rows with a name and a remark, its form, permission codes, table and test. */
export function scaffold({ id, title, under }: ScaffoldInput): EmittedFile[] {
  const table = id.replaceAll('-', '_');
  const constant = propertyOf(table, 'rows');
  const className = classOf(table);
  const main = {
    table: isReserved(table) ? `${table}_row` : table,
    className: isFree(className) ? className : `${className}Row`,
    constant: isFree(constant) ? constant : `${constant}Calls`,
    title,
    apiPath: `/api/${id}`,
    fields,
  };
  return emit({ id, title, main, isTree: false, details: undefined, menu: { path: `/${under}/${id}`, under } });
}

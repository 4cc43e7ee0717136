import type { Words } from '#shared/text';
import { classOf, propertyOf } from '../names.ts';
import { emit } from './emit.ts';
import { isReserved } from './migration-file.ts';
import type { EmittedFile, FieldPlan } from './plan.ts';

/** What a new plugin is called, and the menu group it stands in. */
export interface Beginning {
  readonly id: string;
  readonly title: Words;
  readonly under: string;
}

const plain = { isSeveral: false, preset: undefined, isUnique: false, isSorted: false };

const fields: readonly FieldPlan[] = [
  {
    ...plain,
    name: 'name',
    builder: 'Text',
    given: { title: ['名称', 'Name'], maxLength: 64, search: true, sort: true },
    isOptional: false,
    sqlType: 'varchar(64)',
    isUnique: true,
    isSorted: true,
    sample: 'First',
  },
  { ...plain, name: 'remark', builder: 'Text', given: { title: ['备注', 'Remark'] }, isOptional: true, sqlType: 'varchar(255)', sample: 'Anything' },
];

/** A plugin to begin with: one list of rows with a name and a remark, its form, its codes, its table and its test. */
export function scaffold({ id, title, under }: Beginning): EmittedFile[] {
  const table = id.replaceAll('-', '_');
  const constant = propertyOf(table, 'rows');
  const main = {
    table: isReserved(table) ? `${table}_row` : table,
    className: classOf(table),
    constant: constant === 'menu' || constant === 'entity' || constant === 'crud' ? `${constant}Calls` : constant,
    title,
    apiPath: `/api/${id}`,
    fields,
  };
  return emit({ id, title, main, isTree: false, details: undefined, menu: { path: `/${under}/${id}`, under } });
}

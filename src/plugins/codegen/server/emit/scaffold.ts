import type { LocalizedText } from '#shared/text';
import { classOf, propertyOf } from '../names.ts';
import { emit } from './emit.ts';
import { isReserved } from './migration-file.ts';
import type { EmittedFile, FieldPlan } from './plan.ts';

/** Id and title of a new plugin, and the menu group of its page. */
export interface ScaffoldInput {
  readonly id: string;
  readonly title: LocalizedText;
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

/** Names the emitted files use for something else. */
const reservedNames = new Set('crud entity menu db crudRoutes route repositoryOf defineServerPlugin definePlugin page form contract'.split(' '));
const takenClasses = new Set(['Id', 'Text', 'Nullable', 'Crud']);

/** Reserved words of JavaScript in module scope. */
const keywords = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  ),
);

const isFree = (name: string) => !reservedNames.has(name) && !keywords.has(name) && !(name in globalThis);

/** Emits a starter plugin: one list of rows with a name and a remark, its form, permission codes, table and test. */
export function scaffold({ id, title, under }: ScaffoldInput): EmittedFile[] {
  const table = id.replaceAll('-', '_');
  const constant = propertyOf(table, 'rows');
  const className = classOf(table);
  const main = {
    table: isReserved(table) ? `${table}_row` : table,
    className: takenClasses.has(className) || className in globalThis ? `${className}Row` : className,
    constant: isFree(constant) ? constant : `${constant}Calls`,
    title,
    apiPath: `/api/${id}`,
    fields,
  };
  return emit({ id, title, main, isTree: false, details: undefined, menu: { path: `/${under}/${id}`, under } });
}

import type { FieldTraits, Widget } from '#shared/fields';
import type { ListLayout } from '#shared/list-address';
import type { CrudCalls } from './crud-screen.ts';
import { type ScreenField, searchFields } from './entity-fields.ts';

const kindsByWidget: { readonly [Name in Widget]?: readonly ListLayout['kind'][] } = {
  choice: ['board', 'group'],
  dictionary: ['board', 'group'],
  flag: ['board', 'group'],
  date: ['calendar'],
  'date-time': ['calendar'],
};

/** Fields of every row, which make no useful groups. */
const auditFields: ReadonlySet<string> = new Set(['createTime', 'updateTime']);

/** Returns the views beside the table that the contract of a list allows: by its filters of few values, and by its dates. A tree has none. */
export function layoutsOf(crud: CrudCalls, fields: readonly ScreenField[] = searchFields(crud)): ListLayout[] {
  if ((crud.list.reply as { type?: string }).type === 'array') return [];
  const layouts = fields.flatMap(({ name, traits }) => (auditFields.has(name) ? [] : kindsOf(traits).map((kind) => ({ kind, field: name }))));
  return (['board', 'calendar', 'group'] as const).flatMap((kind) => layouts.filter((layout) => layout.kind === kind));
}

const kindsOf = ({ widget, multiple }: FieldTraits): readonly ListLayout['kind'][] => (multiple ? [] : (kindsByWidget[widget] ?? []));

import { isEmpty } from '#shared/text';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { useMarkedName, useReferenceLabels } from '../references/reference-titles.ts';
import { Ellipsis } from './Ellipsis.tsx';

interface ReferenceCellProps {
  readonly field: ScreenField;
  readonly row: Row;
}

/** Renders a referenced row by its title: the one this row contains, else the one fetched for its value. */
export default function ReferenceCell({ field, row }: ReferenceCellProps) {
  const value = String(row[field.name]);
  const brought = row[field.name.replace(/Id$/, 'Name')];
  const isNamed = typeof brought === 'string' && field.name.endsWith('Id') && !isEmpty(brought);
  const wordsOf = useReferenceLabels(isNamed ? undefined : field.traits.reference, [value], row);
  if (isNamed) return <NamedReference field={field} value={value} name={brought} />;
  const { text, status } = wordsOf(value);
  return (
    <span className={status === 'awaited' || status === 'gone' ? 'cell_faint' : undefined} aria-busy={status === 'awaited'}>
      <Ellipsis text={text} />
    </span>
  );
}

interface NamedReferenceProps {
  readonly field: ScreenField;
  readonly value: string;
  readonly name: string;
}

function NamedReference({ field, value, name }: NamedReferenceProps) {
  return <Ellipsis text={useMarkedName(field.traits.reference, value, name)} />;
}

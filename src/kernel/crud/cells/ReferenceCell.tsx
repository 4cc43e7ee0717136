import { isEmpty } from '#shared/text';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { useReferenceLabels, useTitleWithStatus } from '../references/reference-titles.ts';
import { Ellipsis } from './Ellipsis.tsx';

interface ReferenceCellProps {
  readonly field: ScreenField;
  readonly row: Row;
}

/** Renders the title of a referenced row: the one that this row contains, otherwise the one that is fetched for the value. */
export default function ReferenceCell({ field, row }: ReferenceCellProps) {
  const value = String(row[field.name]);
  const storedTitle = row[field.name.replace(/Id$/, 'Name')];
  const hasStoredTitle = typeof storedTitle === 'string' && field.name.endsWith('Id') && !isEmpty(storedTitle);
  const labelOf = useReferenceLabels(hasStoredTitle ? undefined : field.traits.reference, [value], row);
  if (hasStoredTitle) return <NamedReference field={field} value={value} name={storedTitle} />;
  const { text, status } = labelOf(value);
  return (
    <span className={status === 'loading' || status === 'missing' ? 'cell_faint' : undefined} aria-busy={status === 'loading'}>
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
  return <Ellipsis text={useTitleWithStatus(field.traits.reference, value, name)} />;
}

import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { isEmpty } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { FieldValue } from '../cells/FieldList.tsx';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { historyMessages } from './history-messages.ts';

interface HistoryValueProps {
  readonly field: ScreenField;
  readonly value: unknown;
  /** The record as it is, whose other fields some references need. */
  readonly row: Row;
  readonly format: FormatField;
}

/** Number of characters up to which a value is shown completely. */
const maxShownLength = 160;

/** Renders one value of an earlier version as the cells of the table do; a long one is collapsed. */
export function HistoryValue({ field, value, row, format }: HistoryValueProps) {
  const t = useTranslation();
  const [isExpanded, setIsExpanded] = useState(false);
  if (isEmpty(value)) return <span className="history__nothing">{t(historyMessages.nothing)}</span>;
  // The name beside a reference belongs to its current value.
  const named = field.name.replace(/Id$/, 'Name');
  const { [named]: name, ...others } = row;
  const shown: Row = { ...others, ...(named === field.name ? { [named]: name } : {}), id: row.id, [field.name]: value };
  const isLong = typeof value === 'string' && value.length > maxShownLength;
  return (
    <>
      <div className={isLong && !isExpanded ? 'history__value history__value_collapsed' : 'history__value'}>
        <FieldValue field={field} row={shown} format={format} />
      </div>
      {isLong && (
        <Button type="text" size="mini" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
          {t(isExpanded ? historyMessages.collapse : historyMessages.expand)}
        </Button>
      )}
    </>
  );
}

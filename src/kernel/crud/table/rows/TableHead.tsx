import { useMemo } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import { classNames } from '../columns/column.ts';
import { Heading } from '../columns/Heading.tsx';
import { SelectionCheckbox } from './SelectionCheckbox.tsx';
import type { RowModel } from './TableRow.tsx';

interface TableHeadProps {
  readonly model: RowModel;
  readonly store: CrudStore;
  readonly rows: readonly Row[];
  readonly selected: ReadonlyMap<string, Row>;
  readonly onResize: (name: string, width: number, isFinal: boolean) => void;
}

/** Renders the headings; the checkbox selects the rows of this page only. */
export function TableHead({ model, store, rows, selected, onResize }: TableHeadProps) {
  const t = useTranslation();
  const count = useMemo(() => rows.reduce((sum, { id }) => (selected.has(id) ? sum + 1 : sum), 0), [rows, selected]);
  const isAll = rows.length > 0 && count === rows.length;
  const lead = classNames('crud-table__lead', model.isLeadingPinned && 'crud-table__pinned crud-table__pinned_left');
  return (
    <thead>
      <tr {...(model.isCarded ? { role: 'row' } : {})}>
        {model.details && (
          <th scope="col" className={classNames(lead, 'crud-table__lead_details')}>
            <span className="visually-hidden">{t('crud.viewTitle')}</span>
          </th>
        )}
        {model.isSelectable && (
          <th scope="col" className={classNames(lead, 'crud-table__lead_select')}>
            <SelectionCheckbox
              label={t('crud.selectAll')}
              isChecked={isAll}
              isMixed={count > 0 && !isAll}
              isDisabled={rows.length === 0}
              onChange={(isSelected) => store.selectRows(rows, isSelected)}
            />
          </th>
        )}
        {model.columns.map((column) => (
          <Heading key={column.key} store={store} column={column} onResize={onResize} />
        ))}
        {model.layout.buttons.length > 0 && (
          <th scope="col" className="crud-table__pinned crud-table__pinned_right">
            {t('crud.actions')}
          </th>
        )}
      </tr>
    </thead>
  );
}

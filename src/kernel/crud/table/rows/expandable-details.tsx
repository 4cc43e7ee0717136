import type { TableProps } from '@arco-design/web-react';
import { IconDown, IconRight } from '@arco-design/web-react/icon';
import { Suspense } from 'react';
import type { TextValues } from '#shared/text';
import type { TextKey } from '../../../platform/i18n/texts.ts';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, Row } from '../../model/crud-screen.ts';
import { viewFields } from '../../model/entity-fields.ts';
import type { FormatField } from '../../model/parent-trees.ts';

const FieldList = lazyComponent(() => import('../../cells/FieldList.tsx'));

interface RowDetailsOptions extends Pick<CrudPageProps, 'crud' | 'details'> {
  readonly format: FormatField;
  readonly text: (key: TextKey, values?: TextValues) => string;
  readonly nameOf: (row: Row) => string;
}

/** Returns the content that expands below a row: the page's own, or every field that is no column. Returns nothing where the page wants none. */
export function expandableDetails({ crud, details, format, text, nameOf }: RowDetailsOptions): Pick<TableProps<Row>, 'expandedRowRender' | 'expandProps'> {
  if (!details) return {};
  const fields = viewFields(crud.entity).filter(({ traits }) => traits.list === false || traits.widget === 'textarea');
  const described = (row: Row) => (
    <Suspense>
      <FieldList fields={fields} row={row} format={format} />
    </Suspense>
  );
  return {
    expandedRowRender: (row) => (typeof details === 'function' ? details(row) : described(row)),
    expandProps: {
      width: 40,
      columnTitle: <span className="visually-hidden">{text('crud.viewTitle')}</span>,
      // Arco adds the onClick handler.
      icon: ({ expanded, record }) => (
        <button
          type="button"
          className="crud-table__expand"
          aria-expanded={expanded}
          aria-label={text(expanded ? 'table.collapseDetails' : 'table.expandDetails', { name: nameOf(record as Row) })}
        >
          {expanded ? <IconDown /> : <IconRight />}
        </button>
      ),
    },
  };
}

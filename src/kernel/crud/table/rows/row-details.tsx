import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, Row } from '../../model/crud-screen.ts';
import { viewFields } from '../../model/entity-fields.ts';
import type { FormatField } from '../../model/parent-trees.ts';

const FieldList = lazyComponent(() => import('../../cells/FieldList.tsx'));

/** Returns the content that expands below a row: the page's own, or every field that is no column. Returns nothing where the page wants none. */
export function rowDetails({ crud, details }: Pick<CrudPageProps, 'crud' | 'details'>, format: FormatField): ((row: Row) => ReactNode) | undefined {
  if (!details) return undefined;
  if (typeof details === 'function') return details;
  const fields = viewFields(crud.entity).filter(({ traits }) => traits.list === false || traits.widget === 'textarea');
  return (row) => (
    <Suspense>
      <FieldList fields={fields} row={row} format={format} />
    </Suspense>
  );
}

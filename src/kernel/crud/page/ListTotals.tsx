import { Suspense, useDeferredValue } from 'react';
import { totalOf } from '#shared/entity';
import { useStore } from '../../base/react/use-store.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { shownColumns, type TableSettings } from '../model/table-settings.ts';
import './totals.css';

const SearchProgress = lazyComponent(() => import('./SearchProgress.tsx'));
const TotalsLine = lazyComponent(() => import('./TotalsLine.tsx'));

interface ListTotalsProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
}

/** Shows what belongs between a list and its pager: the progress of a search that is bounded by time, and totals. */
export function ListTotals(props: ListTotalsProps) {
  const isSearch = useStore(props.store, (state) => state.searched !== undefined);
  return (
    <>
      <Suspense>{isSearch && <SearchProgress store={props.store} />}</Suspense>
      <Totals {...props} />
    </>
  );
}

/** Shows the totals of visible columns that have one, below a paged list. The line takes up its height before the totals are known. */
function Totals({ store, crud, fields, settings }: ListTotalsProps) {
  const isPaged = useStore(store, (state) => state.paged);
  const hasRows = useStore(store, (state) => state.rows.length > 0);
  // The rows are painted before the totals are rendered.
  const hasShownRows = useDeferredValue(hasRows);
  const visible = new Set(shownColumns(settings).map(({ name }) => name));
  const totalled = fields.filter(({ name, schema }) => visible.has(name) && crud.entity.fields[name] !== undefined && totalOf(schema));
  if (!isPaged || !hasRows || !crud.list.filterable || totalled.length === 0) return null;
  return (
    <div className="crud-totals">
      <Suspense>{hasShownRows && <TotalsLine store={store} crud={crud} fields={totalled} />}</Suspense>
    </div>
  );
}

import { Button } from '@arco-design/web-react';
import { memo } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useText } from '../../../platform/i18n/use-words.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import { pageSizes } from '../../model/list-query.ts';
import { totalText } from '../../model/total-text.ts';
import { Pager } from './Pager.tsx';

/**
 * Shows the total and the range of visible rows. An inexact total is a lower bound and can be counted exactly; while it is being counted neither it nor
 * the pager is shown, unless counting takes long enough to be noticed.
 */
export function Paging({ store, of }: { readonly store: CrudStore; readonly of: string }) {
  const text = useText();
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isCounting = useStore(store, (state) => state.counting);
  const isPaged = useStore(store, (state) => state.paged);
  const isUnknown = useStore(store, (state) => state.rows.length === 0 && state.status !== 'ready');
  const summary = isUnknown ? '' : text(isExact ? 'crud.total' : 'crud.totalAtLeast', { count: totalText(total, isExact) });
  return (
    <div className={isCounting ? 'crud-paging crud-paging--counting' : 'crud-paging'}>
      <span className="crud-paging__total">{summary}</span>
      <Announcement store={store} summary={isCounting ? '' : summary} />
      {!isExact && !isCounting && (
        <Button type="text" size="small" onClick={() => store.countAll()}>
          {text('crud.countAll')}
        </Button>
      )}
      {isPaged && (
        <>
          <PageSize store={store} />
          <Pager store={store} of={of} />
        </>
      )}
    </div>
  );
}

/** Announces the total to screen readers once the rows are loaded. */
function Announcement({ store, summary }: { readonly store: CrudStore; readonly summary: string }) {
  const isLoading = useStore(store, (state) => state.status === 'loading');
  return (
    <span role="status" className="visually-hidden">
      {isLoading ? '' : summary}
    </span>
  );
}

const PageSize = memo(function PageSize({ store }: { readonly store: CrudStore }) {
  const text = useText();
  const size = useStore(store, (state) => state.query.size);
  return (
    <select className="crud-paging__size" aria-label={text('crud.pageSize')} value={size} onChange={(event) => store.goToPage(1, Number(event.target.value))}>
      {pageSizes.map((value) => (
        <option key={value} value={value}>
          {text('crud.perPage', { count: value })}
        </option>
      ))}
    </select>
  );
});

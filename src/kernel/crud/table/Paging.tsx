import { Button } from '@arco-design/web-react';
import { countedRows } from '#shared/contract';
import { useText } from '../../i18n/use-words.ts';
import { useStore } from '../../use-store.ts';
import type { CrudStore } from '../crud-store.ts';
import { pageSizes } from '../list-query.ts';
import { PageTurner } from './PageTurner.tsx';

/**
 * How many rows there are and which of them are shown. A total that is not exact is a lower bound, and can be counted out; while it is being counted
 * neither it nor the pages show, unless counting takes long enough to be noticed.
 */
export function Paging({ store, of }: { readonly store: CrudStore; readonly of: string }) {
  const text = useText();
  const { current, size } = useStore(store, (state) => state.query);
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isCounting = useStore(store, (state) => state.counting);
  const isPaged = useStore(store, (state) => state.paged);
  const isLoading = useStore(store, (state) => state.status === 'loading');
  const isUnknown = useStore(store, (state) => state.rows.length === 0 && state.status !== 'ready');
  const least = total < countedRows ? total - 1 : Math.floor(total / 1000) * 1000;
  const count = (isExact ? total : least).toLocaleString('en');
  const summary = isUnknown ? '' : text(isExact ? 'crud.total' : 'crud.totalAtLeast', { count });
  return (
    <div className={isCounting ? 'crud-paging crud-paging--counting' : 'crud-paging'}>
      <span className="crud-paging__total">{summary}</span>
      <span role="status" className="visually-hidden">
        {isLoading || isCounting ? '' : summary}
      </span>
      {!isExact && !isCounting && (
        <Button type="text" size="small" disabled={isLoading} onClick={() => store.countAll()}>
          {text('crud.countAll')}
        </Button>
      )}
      {isPaged && (
        <>
          <select
            className="crud-paging__size"
            aria-label={text('crud.pageSize')}
            value={size}
            onChange={(event) => store.turnTo(1, Number(event.target.value))}
          >
            {pageSizes.map((value) => (
              <option key={value} value={value}>
                {text('crud.perPage', { count: value })}
              </option>
            ))}
          </select>
          <PageTurner of={of} current={current} size={size} total={total} onTurn={(page) => store.turnTo(page, size)} />
        </>
      )}
    </div>
  );
}

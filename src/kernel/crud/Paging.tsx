import { Button, Pagination } from '@arco-design/web-react';
import { useText } from '../i18n/use-words.ts';
import { useStore } from '../use-store.ts';
import type { CrudStore } from './crud-store.ts';
import { pageSizes } from './list-query.ts';
import { NamedSelect } from './NamedSelect.tsx';

/** How many rows there are and which of them are shown. A total that is not exact is a lower bound, and can be counted out. */
export function Paging({ store }: { readonly store: CrudStore }) {
  const text = useText();
  const { current, size } = useStore(store, (state) => state.query);
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isPaged = useStore(store, (state) => state.paged);
  const isLoading = useStore(store, (state) => state.status === 'loading');
  const isUnknown = useStore(store, (state) => state.rows.length === 0 && state.status !== 'ready');
  const count = (isExact ? total : Math.floor(total / 1000) * 1000).toLocaleString('en');
  const summary = isUnknown ? '' : text(isExact ? 'crud.total' : 'crud.totalAtLeast', { count });
  return (
    <div className="crud-paging">
      <span>{summary}</span>
      <span role="status" className="visually-hidden">
        {isLoading ? '' : summary}
      </span>
      {!isExact && (
        <Button type="text" size="small" disabled={isLoading} onClick={() => store.countAll()}>
          {text('crud.countAll')}
        </Button>
      )}
      {isPaged && (
        <>
          <NamedSelect
            className="crud-paging__size"
            size="small"
            name={text('crud.pageSize')}
            value={size}
            options={pageSizes.map((value) => ({ value, label: text('crud.perPage', { count: value }) }))}
            onChange={(chosen: number) => store.turnTo(1, chosen)}
          />
          <nav aria-label={text('crud.pages')}>
            <Pagination size="small" total={total} current={current} pageSize={size} onChange={(page) => store.turnTo(page, size)} />
          </nav>
        </>
      )}
    </div>
  );
}

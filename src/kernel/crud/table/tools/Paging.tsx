import { Button } from '@arco-design/web-react';
import { memo } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import { totalText } from '../../model/cell-text.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import { pageSizes } from '../../model/list-query.ts';

/**
 * Shows the total and the range of visible rows. An inexact total is a lower bound and can be counted exactly; while it is being counted neither it nor
 * the pager is shown, unless counting takes long enough to be noticed.
 */
export function Paging({ store, of }: { readonly store: CrudStore; readonly of: string }) {
  const t = useTranslation();
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isCounting = useStore(store, (state) => state.counting);
  const isPaged = useStore(store, (state) => state.paged);
  const isUnknown = useStore(store, (state) => state.rows.length === 0 && state.status !== 'ready');
  const summary = isUnknown ? '' : t(isExact ? 'crud.total' : 'crud.totalAtLeast', { count: totalText(total, isExact) });
  return (
    <div className={isCounting ? 'crud-paging crud-paging--counting' : 'crud-paging'}>
      <span className="crud-paging__total">{summary}</span>
      <Announcement store={store} summary={isCounting ? '' : summary} />
      {!isExact && !isCounting && (
        <Button type="text" size="small" onClick={() => store.countAll()}>
          {t('crud.countAll')}
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
  const t = useTranslation();
  const size = useStore(store, (state) => state.query.size);
  return (
    <select className="crud-paging__size" aria-label={t('crud.pageSize')} value={size} onChange={(event) => store.goToPage(1, Number(event.target.value))}>
      {pageSizes.map((value) => (
        <option key={value} value={value}>
          {t('crud.perPage', { count: value })}
        </option>
      ))}
    </select>
  );
});

interface PagerProps {
  readonly store: CrudStore;
  /** Name of the list. */
  readonly of: string;
}

/** Renders the pager of a list: the first page, the last, those around the current one, and one step either way. */
const Pager = memo(function Pager({ store, of }: PagerProps) {
  const t = useTranslation();
  const current = useStore(store, (state) => state.query.current);
  const pages = useStore(store, (state) => Math.max(1, Math.ceil(state.total / state.query.size)));
  const turn = (page: number) => store.goToPage(page, store.state.query.size);
  return (
    <nav className="crud-pages" aria-label={t('crud.pages', { of })}>
      <button type="button" aria-label={t('crud.previousPage')} disabled={current <= 1} onClick={() => turn(current - 1)}>
        <Icon name="chevronLeft" size={14} />
      </button>
      {pageNumbers(current, pages).map((page) =>
        page < 0 ? (
          <span key={page} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={page}
            type="button"
            aria-label={t('crud.pageNumber', { page })}
            aria-current={page === current ? 'page' : undefined}
            onClick={() => page !== current && turn(page)}
          >
            {page}
          </button>
        ),
      )}
      <button type="button" aria-label={t('crud.nextPage')} disabled={current >= pages} onClick={() => turn(current + 1)}>
        <Icon name="chevronRight" size={14} />
      </button>
    </nav>
  );
});

/** Returns the page numbers of a pager, at most seven of them; a gap is the negative number of the page before it. */
function pageNumbers(current: number, pages: number): number[] {
  const near = [current - 1, current, current + 1];
  const wanted = new Set([
    1,
    pages,
    ...(current <= 4 ? [2, 3, 4, 5] : []),
    ...(current >= pages - 3 ? [pages - 4, pages - 3, pages - 2, pages - 1] : []),
    ...near,
  ]);
  const numbers = [...wanted].filter((page) => page >= 1 && page <= pages).sort((one, other) => one - other);
  return numbers.flatMap((page, at) => {
    const before = numbers[at - 1];
    return before !== undefined && page - before > 1 ? [-before, page] : [page];
  });
}

import { Button } from '@arco-design/web-react';
import { memo } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import { totalText } from '../../model/cell-text.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import { pageSizes } from '../../model/list-query.ts';

interface PagingProps {
  readonly store: CrudStore;
  /** Title of the list. */
  readonly title: string;
}

/**
 * Shows the total and the range of visible rows. An inexact total is a lower bound and can be counted exactly; while it is being counted neither it nor
 * the pager is shown, unless counting takes long enough to be noticed.
 */
export function Paging({ store, title }: PagingProps) {
  const t = useTranslation();
  const total = useStore(store, (state) => state.total);
  const isExact = useStore(store, (state) => state.totalExact);
  const isCounting = useStore(store, (state) => state.counting);
  // An empty list has no pages to choose.
  const isPaged = useStore(store, (state) => state.paged && !(state.status === 'ready' && state.total === 0));
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
          <Pager store={store} title={title} />
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

const standardSizes: ReadonlySet<number> = new Set(pageSizes);

/** Selects the number of rows per page; the number that fits the window is an option too. */
const PageSize = memo(function PageSize({ store }: { readonly store: CrudStore }) {
  const t = useTranslation();
  const size = useStore(store, (state) => state.query.size);
  const defaultSize = useStore(store, (state) => state.defaultSize);
  const fitted = standardSizes.has(defaultSize) ? undefined : defaultSize;
  const sizes = fitted === undefined ? pageSizes : [fitted, ...pageSizes];
  return (
    <select className="crud-paging__size" aria-label={t('crud.pageSize')} value={size} onChange={(event) => store.goToPage(1, Number(event.target.value))}>
      {sizes.map((value) => (
        <option key={value} value={value}>
          {t(value === fitted ? 'crud.perWindow' : 'crud.perPage', { count: value })}
        </option>
      ))}
    </select>
  );
});

/** Renders the pager of a list: the first, last and nearby pages, and buttons for the previous and next page. */
const Pager = memo(function Pager({ store, title }: PagingProps) {
  const t = useTranslation();
  const current = useStore(store, (state) => state.query.current);
  const pages = useStore(store, (state) => Math.max(1, Math.ceil(state.total / state.query.size)));
  // The request starts in a task of its own, so that the click is painted before the rows change.
  const goTo = (page: number) => void setTimeout(() => store.goToPage(page, store.state.query.size));
  return (
    <nav className="crud-pages" aria-label={t('crud.pages', { list: title })}>
      <button type="button" aria-label={t('crud.previousPage')} disabled={current <= 1} onClick={() => goTo(current - 1)}>
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
            onClick={() => page !== current && goTo(page)}
          >
            {page}
          </button>
        ),
      )}
      <button type="button" aria-label={t('crud.nextPage')} disabled={current >= pages} onClick={() => goTo(current + 1)}>
        <Icon name="chevronRight" size={14} />
      </button>
    </nav>
  );
});

/** Returns the page numbers of a pager, at most seven of them; a gap is the negative number of the page before it. */
function pageNumbers(current: number, pages: number): number[] {
  const near = [current - 1, current, current + 1];
  const shownPages = new Set([
    1,
    pages,
    ...(current <= 4 ? [2, 3, 4, 5] : []),
    ...(current >= pages - 3 ? [pages - 4, pages - 3, pages - 2, pages - 1] : []),
    ...near,
  ]);
  const numbers = [...shownPages].filter((page) => page >= 1 && page <= pages).sort((one, other) => one - other);
  return numbers.flatMap((page, index) => {
    const before = numbers[index - 1];
    return before !== undefined && page - before > 1 ? [-before, page] : [page];
  });
}

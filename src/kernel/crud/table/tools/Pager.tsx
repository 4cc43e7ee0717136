import { memo } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useText } from '../../../platform/i18n/use-words.ts';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import type { CrudStore } from '../../model/crud-store.ts';

interface PagerProps {
  readonly store: CrudStore;
  /** Name of the list. */
  readonly of: string;
}

/** Renders the pager of a list: the first page, the last, those around the current one, and one step either way. */
export const Pager = memo(function Pager({ store, of }: PagerProps) {
  const text = useText();
  const current = useStore(store, (state) => state.query.current);
  const pages = useStore(store, (state) => Math.max(1, Math.ceil(state.total / state.query.size)));
  const turn = (page: number) => store.goToPage(page, store.state.query.size);
  return (
    <nav className="crud-pages" aria-label={text('crud.pages', { of })}>
      <button type="button" aria-label={text('crud.previousPage')} disabled={current <= 1} onClick={() => turn(current - 1)}>
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
            aria-label={text('crud.pageNumber', { page })}
            aria-current={page === current ? 'page' : undefined}
            onClick={() => page !== current && turn(page)}
          >
            {page}
          </button>
        ),
      )}
      <button type="button" aria-label={text('crud.nextPage')} disabled={current >= pages} onClick={() => turn(current + 1)}>
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

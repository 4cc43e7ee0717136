import { memo } from 'react';
import { useText } from '../../i18n/use-words.ts';
import { Icon } from '../../shell/Icon.tsx';
import { useStore } from '../../use-store.ts';
import type { CrudStore } from '../crud-store.ts';
import { pageNumbers } from './page-numbers.ts';

interface PageTurnerProps {
  readonly store: CrudStore;
  /** What the list is called. */
  readonly of: string;
}

/** The pages of a list: the first, the last, those around the one on screen, and one step either way. */
export const PageTurner = memo(function PageTurner({ store, of }: PageTurnerProps) {
  const text = useText();
  const current = useStore(store, (state) => state.query.current);
  const pages = useStore(store, (state) => Math.max(1, Math.ceil(state.total / state.query.size)));
  const turn = (page: number) => store.turnTo(page, store.state.query.size);
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

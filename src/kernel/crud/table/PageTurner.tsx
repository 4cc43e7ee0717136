import { useText } from '../../i18n/use-words.ts';
import { Icon } from '../../shell/Icon.tsx';
import { pageNumbers } from './page-numbers.ts';

interface PageTurnerProps {
  /** What the list is called. */
  readonly of: string;
  readonly current: number;
  readonly size: number;
  readonly total: number;
  readonly onTurn: (page: number) => void;
}

/** The pages of a list: the first, the last, those around the one on screen, and one step either way. */
export function PageTurner({ of, current, size, total, onTurn }: PageTurnerProps) {
  const text = useText();
  const pages = Math.max(1, Math.ceil(total / size));
  return (
    <nav className="crud-pages" aria-label={text('crud.pages', { of })}>
      <button type="button" aria-label={text('crud.previousPage')} disabled={current <= 1} onClick={() => onTurn(current - 1)}>
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
            onClick={() => page !== current && onTurn(page)}
          >
            {page}
          </button>
        ),
      )}
      <button type="button" aria-label={text('crud.nextPage')} disabled={current >= pages} onClick={() => onTurn(current + 1)}>
        <Icon name="chevronRight" size={14} />
      </button>
    </nav>
  );
}

import { IconCaretDown, IconCaretRight, IconLoading, IconRefresh } from '@arco-design/web-react/icon';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';

interface ExpandButtonProps {
  readonly name: string;
  readonly isOpen: boolean;
  /** State of loading the children; absent where they are loaded already. */
  readonly status?: 'loading' | 'ready' | 'failed' | undefined;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Expands and collapses the children of a row; after a failure it loads them again. */
export function ExpandButton({ name, isOpen, status, onToggle }: ExpandButtonProps) {
  const t = useTranslation();
  const hasFailed = isOpen && status === 'failed';
  const isLoading = isOpen && status === 'loading';
  const label = t(hasFailed ? 'table.retryBelow' : isLoading ? 'table.loadingBelow' : isOpen ? 'crud.collapseRow' : 'crud.expandRow', { name });
  const Icon = hasFailed ? IconRefresh : isLoading ? IconLoading : isOpen ? IconCaretDown : IconCaretRight;
  return (
    <button
      type="button"
      className={hasFailed ? 'crud-table__expand crud-table__expand_failed' : 'crud-table__expand'}
      aria-expanded={isOpen}
      aria-busy={isLoading}
      aria-label={label}
      title={hasFailed ? label : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(hasFailed || !isOpen);
      }}
    >
      <Icon spin={isLoading} />
    </button>
  );
}

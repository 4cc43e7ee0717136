import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Icon } from '../../../ui/primitives/Icon.tsx';

interface DetailsButtonProps {
  readonly name: string;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
}

/** Expands and collapses the content below a row. */
export function DetailsButton({ name, isExpanded, onToggle }: DetailsButtonProps) {
  const t = useTranslation();
  return (
    <button
      type="button"
      className="crud-table__expand"
      aria-expanded={isExpanded}
      aria-label={t(isExpanded ? 'table.collapseDetails' : 'table.expandDetails', { name })}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name={isExpanded ? 'chevronDown' : 'chevronRight'} size={14} />
    </button>
  );
}

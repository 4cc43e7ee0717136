import { Fragment, useEffect } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { type ActivePart, type ActiveValue, useFilterLabel } from './active-filters.ts';

interface FilterWordsProps {
  readonly parts: readonly ActivePart[];
  readonly join: 'and' | 'or';
  readonly format: FormatField;
  /** Called when the words have changed, such as once a title is loaded. */
  readonly onChange?: () => void;
}

/** Puts filters into words, such as `A or (B and C)`. */
export function FilterWords({ parts, join, ...props }: FilterWordsProps) {
  const t = useTranslation();
  return parts.map((part, index) => (
    <Fragment key={part.key}>
      {index > 0 && ` ${t(`table.joinWord.${join}`)} `}
      {'parts' in part ? (
        <>
          {part.parts.length > 1 && '('}
          <FilterWords {...props} parts={part.parts} join={part.join} />
          {part.parts.length > 1 && ')'}
        </>
      ) : (
        <ValueWords {...props} part={part} />
      )}
    </Fragment>
  ));
}

type ValueWordsProps = Pick<FilterWordsProps, 'format' | 'onChange'> & { readonly part: ActiveValue };

function ValueWords({ part, format, onChange }: ValueWordsProps) {
  const label = useFilterLabel(part, format);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new label is reported
  useEffect(() => onChange?.(), [label]);
  return label;
}

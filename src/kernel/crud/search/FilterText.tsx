import { Fragment, useEffect } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { type ActivePart, type ActiveValue, useFilterLabel } from './active-filters.ts';

interface FilterTextProps {
  readonly parts: readonly ActivePart[];
  readonly join: 'and' | 'or';
  readonly format: FormatField;
  /** Called when the text has changed, for example once a title is loaded. */
  readonly onChange?: () => void;
}

/** Renders filters as text, such as `A or (B and C)`. */
export function FilterText({ parts, join, ...props }: FilterTextProps) {
  const t = useTranslation();
  return parts.map((part, index) => (
    <Fragment key={part.key}>
      {index > 0 && ` ${t(`table.joinWord.${join}`)} `}
      {'parts' in part ? (
        <>
          {part.parts.length > 1 && '('}
          <FilterText {...props} parts={part.parts} join={part.join} />
          {part.parts.length > 1 && ')'}
        </>
      ) : (
        <ConditionText {...props} part={part} />
      )}
    </Fragment>
  ));
}

type ConditionTextProps = Pick<FilterTextProps, 'format' | 'onChange'> & { readonly part: ActiveValue };

function ConditionText({ part, format, onChange }: ConditionTextProps) {
  const label = useFilterLabel(part, format);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new label is reported
  useEffect(() => onChange?.(), [label]);
  return label;
}

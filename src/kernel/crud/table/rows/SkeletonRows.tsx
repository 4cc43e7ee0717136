import { useEffect, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { minRows } from '../columns/use-table-space.ts';

/** Milliseconds without an answer until the skeleton shows, so that it does not flash before a fast one. */
const delayMs = 150;

interface SkeletonRowsProps {
  readonly columns: number;
  /** Height of a row in pixels; 0 until it is measured. */
  readonly line: number;
}

/** Reserves the space of the first rows; if their answer takes long, it shows rows in the shape of the columns. */
export function SkeletonRows({ columns, line }: SkeletonRowsProps) {
  const t = useTranslation();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown)
    return (
      <tr className="crud-table__skeleton">
        <td colSpan={columns} style={{ height: minRows * line }}>
          <span className="visually-hidden">{t('crud.loading')}</span>
        </td>
      </tr>
    );
  return Array.from({ length: minRows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
    <tr key={row} className="crud-table__skeleton">
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cells are all alike
        <td key={column}>
          <i style={{ width: `${55 + ((row * 7 + column * 13) % 40)}%` }} />
          {row + column === 0 && <span className="visually-hidden">{t('crud.loading')}</span>}
        </td>
      ))}
    </tr>
  ));
}

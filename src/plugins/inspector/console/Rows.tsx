import type { ReactNode } from 'react';
import { useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import styles from './inspector.module.css';
import { inspectorMessages } from './messages.ts';

interface RowsProps {
  readonly label: LocalizedText;
  readonly heads: readonly LocalizedText[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[]; readonly tone?: string }[];
}

/** Renders a plain table that scrolls when it has many rows. */
export function Rows({ label, heads, rows }: RowsProps) {
  const t = useTranslation();
  return (
    <div className={styles.scroll}>
      <table className={styles.rows} aria-label={t(label)}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head[1]} scope="col">
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, tone }) => (
            <tr key={key} data-tone={tone}>
              {cells.map((cell, index) => (
                <td key={heads[index]?.[1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FilterBarProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

/** Renders a text filter with a count or buttons beside it. */
export function FilterBar({ value, onChange, children }: FilterBarProps) {
  const t = useTranslation();
  const label = t(inspectorMessages.filter);
  return (
    <div className={styles.bar}>
      <input aria-label={label} placeholder={label} value={value} onChange={({ target }) => onChange(target.value)} />
      {children}
    </div>
  );
}

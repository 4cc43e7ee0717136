import type { ReactNode } from 'react';
import styles from './inspector.module.css';

interface RowsProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[]; readonly tone?: string }[];
}

/** Renders a plain table that scrolls when it has many rows. */
export function Rows({ label, heads, rows }: RowsProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.rows} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, tone }) => (
            <tr key={key} data-tone={tone}>
              {cells.map((cell, index) => (
                <td key={heads[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import type { ReactNode } from 'react';
import './change-table.css';

interface ChangeTableProps {
  readonly caption?: ReactNode;
  readonly headings: readonly [field: string, before: string, after: string];
  readonly rows: readonly { readonly name: string; readonly title: string; readonly before: ReactNode; readonly after: ReactNode }[];
  /** Text below the rows. */
  readonly note?: string | undefined;
}

/** Compares values of some fields before and after a change, side by side. */
export function ChangeTable({ caption, headings, rows, note }: ChangeTableProps) {
  return (
    <table className="change-table">
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, title, before, after }) => (
          <tr key={name}>
            <th scope="row">{title}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
      {note !== undefined && (
        <tfoot>
          <tr>
            <td colSpan={headings.length}>{note}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

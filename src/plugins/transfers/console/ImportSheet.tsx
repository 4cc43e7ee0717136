import { NamedSelect, useTranslation } from '#kernel';
import type { ImportPreview } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import styles from './transfers.module.css';

type Mapping = ImportPreview['mapping'];

interface ImportSheetProps {
  readonly preview: ImportPreview;
  readonly isBusy: boolean;
  readonly container: () => Element;
  readonly onMap: (mapping: Mapping) => Promise<void>;
}

/** Value of the option for a column that is not imported. */
const unmapped = '';

/** Previews the first rows of a sheet under the fields they fill, with errors in their cells. */
export function ImportSheet({ preview: { columns, mapping, fields, rows }, isBusy, container, onMap }: ImportSheetProps) {
  const t = useTranslation();
  const fieldOf = (column: number) => mapping.find((one) => one.column === column)?.field ?? unmapped;
  const change = (column: number, field: string) => {
    const others = mapping.filter((one) => one.column !== column && one.field !== field);
    void onMap(field === unmapped ? others : [...others, { column, field }]);
  };
  const options = [{ label: t(transferMessages.unmapped), value: unmapped }, ...fields.map(({ name, title }) => ({ label: title, value: name }))];
  return (
    <div className={styles.scroll}>
      <table className={styles.sheet}>
        <thead>
          <tr>
            <th scope="col">{t(transferMessages.row)}</th>
            {columns.map((title, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of a sheet are identified by their index, and two may share a title
              <th key={column} scope="col">
                {title}
                <NamedSelect
                  name={t(transferMessages.columnOf, { title })}
                  size="small"
                  value={fieldOf(column)}
                  options={options}
                  disabled={isBusy}
                  getPopupContainer={container}
                  onChange={(field: string) => change(column, field)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells, problems }) => (
            <tr key={row}>
              <td>{row}</td>
              {cells.map((cell, column) => {
                const problem = problems.find(({ field }) => field === fieldOf(column));
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as the columns
                  <td key={column} className={problem ? styles.wrong : undefined}>
                    <span className={styles.cell}>{cell}</span>
                    {problem && <p className={styles.failure}>{problem.message}</p>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

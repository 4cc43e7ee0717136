import { createPortal } from 'react-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { formatDateTime } from '../../platform/i18n/date-time.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { parseFileLink } from '../../ui/files/file-link.ts';
import { usePrinted } from '../../ui/overlays/use-printed.ts';
import { Cell } from '../cells/Cell.tsx';
import { numberText } from '../model/cell-text.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { flatten, headingOf, type ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { shownColumns, type TableSettings } from '../model/table-settings.ts';
import { activeFilters } from '../search/active-filters.ts';
import { FilterText } from '../search/FilterText.tsx';

interface PrintSheetProps extends Pick<CrudPageProps, 'columns'> {
  readonly store: CrudStore;
  readonly title: string;
  readonly fields: readonly ScreenField[];
  readonly filters: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly format: FormatField;
  readonly onDone: () => void;
}

/** Prints the current list: title, conditions, the visible columns of these rows, the time and the user. Printing starts once it has rendered. */
export default function PrintSheet({ store, title, fields, columns = {}, settings, filters, format, onDone }: PrintSheetProps) {
  const t = useTranslation();
  const { user } = useService(Session);
  const rows = useStore(store, (state) => state.rows);
  const total = useStore(store, (state) => state.total);
  const shown = shownColumns(settings).flatMap(({ name }) => fields.find((field) => field.name === name) ?? []);
  const flatRows = flatten(rows);
  const active = activeFilters(
    useStore(store, (state) => state.query),
    filters,
  );

  usePrinted(onDone);

  return createPortal(
    <main className="print-sheet">
      <h1>{title}</h1>
      <p>
        <FilterText parts={active} join="and" format={format} />
      </p>
      <table>
        <thead>
          <tr>
            {shown.map((field) => (
              <th key={field.name} scope="col">
                {headingOf(field, t, columns[field.name]?.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flatRows.map((row) => (
            <tr key={row.id}>
              {shown.map((field) => (
                <td key={field.name}>{columns[field.name]?.render?.(row) ?? printedValue(field, row, format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <span>{t('table.printedRows', { count: flatRows.length, total })}</span>
        <span>{t('table.printedBy', { name: user?.nick_name || user?.account || '' })}</span>
        <span>{t('table.printedAt', { time: formatDateTime(Date.now(), user?.time_zone) })}</span>
      </footer>
    </main>,
    document.body,
  );
}

/** Renders a value as the table does, except that pictures and files become names, because a printed page cannot open them. */
function printedValue(field: ScreenField, row: Row, format: FormatField) {
  const { widget, progress } = field.traits;
  if (progress) return [row[progress.parts.at(-1) ?? field.name], row[progress.total]].map((count) => numberText(count)).join(' / ');
  if (widget !== 'image' && widget !== 'attachment') return <Cell field={field} row={row} format={format} />;
  return [row[field.name] ?? []]
    .flat()
    .map((link) => parseFileLink(String(link)).name)
    .join(', ');
}

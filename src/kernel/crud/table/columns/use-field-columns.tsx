import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Cell } from '../../cells/Cell.tsx';
import type { CrudPageProps, Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import type { FormatField } from '../../model/parent-trees.ts';
import { type ColumnSetting, shownColumns, type TableSettings, withColumn } from '../../model/table-settings.ts';
import type { ChildRows } from '../rows/child-rows.ts';
import { ExpandButton } from '../rows/ExpandButton.tsx';
import type { OutlinedRow } from '../rows/row-outline.ts';
import { type LabelledColumn, SortHeading, widthOf } from './table-columns.tsx';

interface FieldColumns extends Pick<CrudPageProps, 'columns'> {
  readonly store: CrudStore;
  readonly childRows: ChildRows;
  readonly fields: readonly ScreenField[];
  readonly positions: ReadonlyMap<string, OutlinedRow>;
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings) => void;
  readonly format: FormatField;
  readonly isSortable: boolean;
}

interface Columns {
  readonly columns: LabelledColumn[];
  /** Returns the name of a row in labels and messages: the value of its first column. */
  readonly nameOf: (row: Row) => string;
}

/** Builds the columns of a table from its fields, the page and the operator's settings; the first one shows the tree. */
export function useFieldColumns({ store, childRows, fields, columns = {}, positions, settings, onSettings, format, isSortable }: FieldColumns): Columns {
  const t = useTranslation();
  const { known, open } = useStore(childRows, (state) => state);
  const [dragged, setDragged] = useState<ColumnSetting>();
  const isTree = [...positions.values()].some(({ level, hasChildren }) => level > 0 || hasChildren);
  const shown = shownColumns(settings).flatMap((setting) => {
    const field = fields.find(({ name }) => name === setting.name);
    return field ? [{ field, setting }] : [];
  });
  const nameOf = (row: Row) => String((shown[0] && row[shown[0].field.name]) ?? row.id);

  const expansion = (row: Row) => ({
    isOpen: open.has(row.id),
    status: row.children ? undefined : known[row.id]?.status,
    onToggle: (isOpen: boolean) => childRows.toggle(row, isOpen),
  });
  const inTree = (row: Row, content: ReactNode) => {
    const { level = 0, hasChildren = false } = positions.get(row.id) ?? {};
    return (
      <span className="crud-table__branch" style={{ paddingInlineStart: level * 18 }}>
        {hasChildren ? <ExpandButton name={nameOf(row)} {...expansion(row)} /> : <span className="crud-table__leaf" />}
        {content}
      </span>
    );
  };

  const made = shown.map(({ field, setting }, index): LabelledColumn => {
    const override = columns[field.name];
    const title = t(override?.title ?? field.traits.title);
    const isSortableField = isSortable && field.traits.sort === true;
    const drag = (width: number, isFinal: boolean) => {
      setDragged(isFinal ? undefined : { name: field.name, width });
      if (isFinal) onSettings(withColumn(settings, field.name, { width }));
    };
    const content = (row: Row) => override?.render?.(row) ?? <Cell field={field} row={row} format={format} />;
    return {
      key: field.name,
      dataIndex: field.name,
      label: title,
      title: (
        <>
          {isSortableField ? <SortHeading store={store} field={field.name} title={title} text={t} /> : title}
          <ResizeHandle title={title} onDrag={drag} />
        </>
      ),
      ...(setting.pin ? { fixed: setting.pin } : {}),
      // Cells of the kernel clip their own content; those of a page need this class.
      ...(override?.render ? { className: 'crud-table__foreign' } : {}),
      width: (dragged?.name === field.name ? dragged.width : setting.width) ?? override?.width ?? widthOf(field, title, t),
      ...(field.traits.widget === 'money' || field.traits.widget === 'number' ? { align: 'right' as const } : {}),
      ...(isSortableField ? { onHeaderCell: () => ({ 'data-sort': field.name }) } : {}),
      render: (_: unknown, row) => (index === 0 && isTree ? inTree(row, content(row)) : content(row)),
    };
  });
  return { columns: made, nameOf };
}

interface ResizeHandleProps {
  readonly title: string;
  /** Called while the edge is dragged, and once more with `isFinal` when it is released. */
  readonly onDrag: (width: number, isFinal: boolean) => void;
}

/** Renders the edge of a heading that resizes its column; keyboard users resize in the settings. */
function ResizeHandle({ title, onDrag }: ResizeHandleProps) {
  const t = useTranslation();
  const start = useRef<{ readonly x: number; readonly width: number; frame: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => (start.current ? start.current.width + clientX - start.current.x : 0);

  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: event.currentTarget.closest('th')?.getBoundingClientRect().width ?? 0, frame: 0 };
  };
  const drag = (event: PointerEvent) => {
    const width = widthAt(event);
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    start.current.frame = requestAnimationFrame(() => onDrag(width, false));
  };
  const end = (event: PointerEvent) => {
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    onDrag(widthAt(event), true);
    start.current = undefined;
  };
  return (
    <span
      className="crud-table__handle"
      aria-hidden="true"
      title={t('table.resize', { name: title })}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}

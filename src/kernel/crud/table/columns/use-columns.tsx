import { isValidElement, type ReactNode, useMemo } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { cellContent } from '../../cells/Cell.tsx';
import { progressBar } from '../../cells/progress-bar.tsx';
import { Tag } from '../../cells/Tag.tsx';
import { numberText } from '../../model/cell-text.ts';
import type { ColumnOverride, CrudPageProps, Row } from '../../model/crud-screen.ts';
import { headingOf, isTitleField, type ScreenField, titleColumn, translatedText } from '../../model/entity-fields.ts';
import type { FormatField } from '../../model/parent-trees.ts';
import { shownColumns, type TableSettings } from '../../model/table-settings.ts';
import { type Column, pinProperty } from './column.ts';
import { contentWidth, type MeasuredColumn, narrowestOptions, narrowestProgress, narrowestWidth, tagPadding } from './column-widths.ts';
import { useStableList } from './use-stable-list.ts';

interface ColumnOptions extends Pick<CrudPageProps, 'columns'> {
  readonly fields: readonly ScreenField[];
  readonly rows: readonly Row[];
  readonly settings: TableSettings;
  readonly format: FormatField;
  readonly isSortable: boolean;
}

interface Columns {
  readonly columns: readonly Column[];
  /** Widths that the contents take, or that the operator or the page has set. */
  readonly measured: readonly MeasuredColumn[];
  /** Key of the column whose text opens the record, if there is one. */
  readonly titleKey: string | undefined;
  /** Returns the name of a row in labels and messages: the value of its first column. */
  readonly nameOf: (row: Row) => string;
}

const noColumns: NonNullable<CrudPageProps['columns']> = {};

/** Builds the columns of a table from its fields, the page and the operator's settings. */
export function useColumns({ fields, columns = noColumns, rows, settings, format, isSortable }: ColumnOptions): Columns {
  const t = useTranslation();
  const overrides = columns as Readonly<Record<string, ColumnOverride | undefined>>;
  // Fields and overrides are rebuilt with every render of the page; the columns change only when one of them does.
  const shown = shownColumns(settings).flatMap((setting) => {
    const field = fields.find(({ name }) => name === setting.name);
    return field ? [{ field, setting, override: overrides[field.name] }] : [];
  });
  const parts = useStableList(shown.flatMap(({ field, setting, override }) => [field.schema, override?.render, override?.title, setting.pin]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts are what the columns are made of
  const built = useMemo(() => {
    const columnList = shown.map(({ field, setting: { pin }, override }): Column => {
      const { widget, sort } = field.traits;
      return {
        key: field.name,
        title: headingOf(field, t, override?.title),
        pin,
        pinStyle: pin && { [pin]: `var(${pinProperty(field.name)})` },
        isNumber: widget === 'money' || (widget === 'number' && !field.traits.progress),
        isCustom: override?.render !== undefined,
        sortField: isSortable && sort === true ? field.name : undefined,
        render: override?.render ? renderWith(override.render, renderOf(field, fields, format, t)) : renderOf(field, fields, format, t),
      };
    });
    const title = titleColumn(shown);
    const first = shown[0]?.field;
    return {
      columns: columnList,
      titleKey: title?.override?.render ? undefined : title?.field.name,
      nameOf: (row: Row) => String((first && (translatedText(first, row, t) ?? row[first.name])) || row.id),
    };
  }, [format, t, isSortable, parts]);

  const widths = useStableList(shown.map(({ setting, override }) => setting.width ?? override?.width));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns and widths are what the shown ones are made of
  const measured = useMemo(
    () =>
      shown.map(({ field }, index): MeasuredColumn => {
        const title = built.columns[index]?.title ?? '';
        const hasSetWidth = shown[index]?.setting.width !== undefined;
        const content = { field, title, isSortable: isSortable && field.traits.sort === true, t };
        const { render } = shown[index]?.override ?? {};
        const hasTag = render !== undefined && !field.traits.options && rows.some((row) => isTag(render(row)));
        const width = widths[index] ?? contentWidth(content, rows, format) + (hasTag ? tagPadding : 0);
        const isGrowing = !hasSetWidth && growing.has(field.traits.widget);
        const isShrinking = isGrowing && !field.traits.copyable;
        const part = isGrowing && !isTitleField(field) ? 0.6 : 0.7;
        const shrunk = isShrinking ? narrowestWidth(width, title, part) : width;
        const isShort = !hasSetWidth && field.traits.options !== undefined;
        const narrowest = isShort
          ? narrowestOptions(content, rows, format)
          : field.traits.progress && !hasSetWidth
            ? narrowestProgress(field, rows, title)
            : shrunk;
        return { key: field.name, width, isGrowing, isShort, narrowest: Math.min(width, narrowest) };
      }),
    [built, rows, widths],
  );
  return { ...built, measured };
}

const isTag = (content: ReactNode) => isValidElement(content) && content.type === Tag;

const growing: ReadonlySet<string> = new Set(['text', 'textarea', 'reference', 'rich-text', 'url', 'email', 'code']);

/** Renders cells as the page does, or as usual where it returns undefined. */
const renderWith =
  (render: NonNullable<ColumnOverride['render']>, defaultRender: Column['render']): Column['render'] =>
  (row, wrap) => {
    const content = render(row);
    return content === undefined ? defaultRender(row, wrap) : content;
  };

function renderOf(field: ScreenField, fields: readonly ScreenField[], format: FormatField, t: ReturnType<typeof useTranslation>): Column['render'] {
  const { progress } = field.traits;
  if (!progress) return (row, wrap) => cellContent({ field, row, format }, wrap);
  const counters = [progress.total, field.name, ...progress.parts].flatMap((name) => fields.find((other) => other.name === name) ?? []);
  return (row) => progressBar(field, row, counters.map(({ name, traits }) => `${t(traits.title)} ${numberText(row[name])}`).join(' · '));
}

import { Fragment, type ReactNode, Suspense } from 'react';
import { maskedFieldOf } from '#shared/entity';
import { isMaskedText } from '#shared/personal';
import { isEmpty } from '#shared/text';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { moneyText, numberText } from '../model/cell-text.ts';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { Tag } from './Tag.tsx';
import './cells.css';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

const LinkCell = lazyComponent(() => import('./LinkCell.tsx'));
const FileCell = lazyComponent(() => import('./FileCell.tsx'));
const PersonalCell = lazyComponent(() => import('./PersonalCell.tsx'));
const ReferenceCell = lazyComponent(() => import('./ReferenceCell.tsx'));

interface CellProps {
  readonly field: ScreenField;
  readonly row: Row;
  readonly format: FormatField;
  /** Wraps the value, without the button beside it that copies it: one control must not contain another. */
  readonly wrap?: ((value: ReactNode) => ReactNode) | undefined;
}

/** Wraps the content of a cell, such as in the button that opens its row. */
export type WrapContent = (content: ReactNode) => ReactNode;

/** Renders one value of a row for a table. */
export const Cell = (props: CellProps): ReactNode => cellContent(props);

/**
 * Returns the content of a cell, depending on the widget of its field. It is a function and no component, because a page has a thousand cells; tooltips are
 * set by the table when the pointer is over a cell. The button that copies the value stays outside a wrapper.
 */
export function cellContent({ field, row, format }: CellProps, wrap: WrapContent = (content) => content): ReactNode {
  const value = row[field.name];
  if (isEmpty(value)) return wrap(null);
  const masked = isMaskedText(value) ? maskedFieldOf(field.schema) : undefined;
  if (masked) return suspended(row, <PersonalCell masked={masked} field={field} row={row} wrap={wrap} />);
  const content = wrap(contentOf({ field, row, format }));
  if (!field.traits.copyable) return content;
  return (
    <span className="cell cell_copyable">
      {content}
      <CopyButton key={`copy ${row.id}`} value={String(value)} />
    </span>
  );
}

function contentOf({ field, row, format, isOneOfSeveral = false }: CellProps & { readonly isOneOfSeveral?: boolean }): ReactNode {
  const value = row[field.name];
  const { traits } = field;
  if (Array.isArray(value) && traits.widget !== 'attachment') return <MultiValue values={value} field={field} row={row} format={format} />;
  switch (traits.widget) {
    case 'money':
      return <span className="cell">{moneyText(value)}</span>;
    case 'number':
      return <span className="cell">{numberText(value)}</span>;
    case 'choice':
    case 'flag':
      return <Tag tone={traits.tones?.[String(value)] ?? (isOneOfSeveral ? 'neutral' : undefined)}>{format(field, row)}</Tag>;
    case 'dictionary':
      return <DictionaryTag field={field} value={String(value)} />;
    case 'date-time':
      return (
        <time className="cell" dateTime={String(value).replace(' ', 'T')}>
          {String(value)}
        </time>
      );
    case 'url':
    case 'email':
    case 'phone':
      return suspended(row, <LinkCell kind={traits.widget} value={String(value)} />);
    case 'image':
    case 'attachment':
      return suspended(row, <FileCell isPicture={traits.widget === 'image'} accept={traits.accept} value={value} name={format(field, row)} />);
    case 'reference':
      return suspended(row, <ReferenceCell field={field} row={row} />);
    default:
      return <span className="cell">{format(field, row)}</span>;
  }
}

/** Lazy-loads the rare kinds of cells with their first use. They keep a state, so each row has its own. */
const suspended = (row: Row, cell: ReactNode) => (
  <Suspense key={row.id} fallback={<span className="cell cell_awaited" />}>
    {cell}
  </Suspense>
);

/** Number of values up to which all are shown; beyond it `shownOfMany` are shown, followed by the number of the rest. */
const maxShown = 3;
const shownOfMany = 2;

/** Renders several values in one line; the hidden ones appear in a tooltip and are read by screen readers. */
function MultiValue({ values, field, row, format }: CellProps & { readonly values: readonly unknown[] }) {
  const shown = values.length > maxShown ? shownOfMany : values.length;
  const contents = values.map((item) => (
    <Fragment key={String(item)}>{contentOf({ field, row: { ...row, [field.name]: item }, format, isOneOfSeveral: true })}</Fragment>
  ));
  return (
    <span className="cell_several">
      {contents.slice(0, shown)}
      {shown < values.length && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the tooltip only repeats text that assistive technology reads in full
        <span
          className="cell_more"
          onMouseEnter={({ currentTarget: more }) =>
            (more.title = [...(more.lastElementChild?.children ?? [])].map(({ textContent }) => textContent).join(' · '))
          }
        >
          <span className="cell_tag cell_tag_neutral" aria-hidden="true">
            +{values.length - shown}
          </span>
          <span className="visually-hidden">{contents.slice(shown)}</span>
        </span>
      )}
    </span>
  );
}

function DictionaryTag({ field: { traits }, value }: { readonly field: ScreenField; readonly value: string }) {
  const entry = useDictionary(traits.dictionary).find(({ key }) => key === value);
  return <Tag tone={traits.tones?.[value] ?? entry?.tone ?? 'neutral'}>{entry?.title ?? value}</Tag>;
}

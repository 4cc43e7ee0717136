import { type ReactNode, Suspense } from 'react';
import { isEmpty } from '#shared/text';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { moneyText, numberText } from '../model/cell-text.ts';
import type { Row } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { Ellipsis } from './Ellipsis.tsx';
import { Tag } from './Tag.tsx';
import './cells.css';
import { useService } from '../../base/react/services.tsx';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

const LinkCell = lazyComponent(() => import('./LinkCell.tsx'));
const FileCell = lazyComponent(() => import('./FileCell.tsx'));
const ReferenceCell = lazyComponent(() => import('./ReferenceCell.tsx'));

interface CellProps {
  readonly field: ScreenField;
  readonly row: Row;
  readonly format: FormatField;
}

/** Renders one value of a row for a table, depending on the widget of its field. */
export function Cell({ field, row, format }: CellProps) {
  const value = row[field.name];
  const content = isEmpty(value) ? null : <Content field={field} row={row} format={format} />;
  if (!field.traits.copyable || content === null) return content;
  return (
    <span className="cell cell_copyable">
      {content}
      <CopyButton value={String(value)} />
    </span>
  );
}

function Content({ field, row, format, isOneOfSeveral = false }: CellProps & { readonly isOneOfSeveral?: boolean }): ReactNode {
  const value = row[field.name];
  const { traits } = field;
  if (Array.isArray(value) && traits.widget !== 'attachment') return <MultiValue values={value} field={field} row={row} format={format} />;
  switch (traits.widget) {
    case 'money':
      return <span className="cell cell_number">{moneyText(value)}</span>;
    case 'number':
      return <Ellipsis text={`${numberText(value)}`} unit={field} />;
    case 'choice':
    case 'flag':
      return <Tag tone={traits.tones?.[String(value)] ?? (isOneOfSeveral ? 'neutral' : undefined)}>{format(field, row)}</Tag>;
    case 'dictionary':
      return <DictionaryTag field={field} value={String(value)} />;
    case 'date-time':
      return <DateTimeText value={String(value)} />;
    case 'url':
    case 'email':
    case 'phone':
      return suspended(<LinkCell kind={traits.widget} value={String(value)} />);
    case 'image':
    case 'attachment':
      return suspended(<FileCell isPicture={traits.widget === 'image'} accept={traits.accept} value={value} name={format(field, row)} />);
    case 'reference':
      return suspended(<ReferenceCell field={field} row={row} />);
    default:
      return <Ellipsis text={format(field, row)} />;
  }
}

/** Lazy-loads the rare kinds of cells with their first use. */
const suspended = (cell: ReactNode) => <Suspense fallback={<span className="cell cell_awaited" />}>{cell}</Suspense>;

/** Number of values up to which all are shown; beyond it `shownOfMany` are shown, followed by the number of the rest. */
const maxShown = 3;
const shownOfMany = 2;

/** Renders several values in one line; the hidden ones appear in a tooltip and are read by screen readers. */
function MultiValue({ values, field, row, format }: CellProps & { readonly values: readonly unknown[] }) {
  const shown = values.length > maxShown ? shownOfMany : values.length;
  const contents = values.map((one) => <Content key={String(one)} field={field} row={{ ...row, [field.name]: one }} format={format} isOneOfSeveral />);
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

/** Renders a time in the zone of the deployment; its tooltip shows the distance from now and the zone. */
function DateTimeText({ value }: { readonly value: string }) {
  const t = useTranslation();
  const { language } = useService(Locale);
  const { user } = useService(Session);
  const tell = async (cell: HTMLElement) => {
    const zone = user?.time_zone;
    if (!zone) return;
    const { formatRelativeTime, formatTimeZone } = await import('../../platform/i18n/date-time.ts');
    cell.title = [formatRelativeTime(value, zone, language), t('table.zone', { zone: formatTimeZone(zone, language) })].filter(Boolean).join(' · ');
  };
  return (
    <time className="cell" dateTime={value.replace(' ', 'T')} onMouseEnter={({ currentTarget }) => void tell(currentTarget)}>
      {value}
    </time>
  );
}

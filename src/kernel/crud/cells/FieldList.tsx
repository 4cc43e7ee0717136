import type { Widget } from '#shared/fields';
import { isEmpty } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import { groupsOf, type ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { Cell } from './Cell.tsx';
import { FormattedText } from './FormattedText.tsx';
import './field-list.css';

interface FieldListProps extends Pick<CrudPageProps, 'columns'> {
  readonly fields: readonly ScreenField[];
  readonly row: Row;
  readonly format: FormatField;
}

/** Lists the values of one row with their names, formatted as in the table but not cut off; adjacent fields of one group share a heading. */
export default function FieldList({ fields, ...rest }: FieldListProps) {
  const t = useTranslation();
  return groupsOf(fields).map((group) => {
    const heading = group[0]?.traits.group;
    return (
      <section key={group[0]?.name} className="field-list">
        {heading && <h3 className="field-list__heading">{t(heading)}</h3>}
        <dl>
          {group.map((field) => (
            <div key={field.name} className="field-list__item">
              <dt>{t(field.traits.title)}</dt>
              <dd>
                <FieldValue field={field} {...rest} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    );
  });
}

/** Renders one value as it was entered, not cut off. */
export function FieldValue({ field, row, format, columns = {} }: Omit<FieldListProps, 'fields'> & { readonly field: ScreenField }) {
  const t = useTranslation();
  const customContent = columns[field.name]?.render?.(row);
  if (customContent !== undefined) return customContent;
  const hasNoValue = field.traits.widget === 'parent' ? format(field, row) === '' : isEmpty(row[field.name]);
  if (hasNoValue) return t('crud.nothing');
  return isLong(field) ? <LongValue field={field} value={String(row[field.name])} /> : <Cell field={field} row={row} format={format} />;
}

const kinds: ReadonlySet<Widget> = new Set(['textarea', 'rich-text', 'code', 'cron']);

/** True for multi-line values, which are shown as they were entered. */
const isLong = ({ traits }: ScreenField) => kinds.has(traits.widget);

/** Renders multi-line text, formatted text or source code. */
function LongValue({ field, value }: { readonly field: ScreenField; readonly value: string }) {
  switch (field.traits.widget) {
    case 'rich-text':
      return <FormattedText html={value} />;
    case 'code':
      return <pre className="field-list__code">{value}</pre>;
    case 'cron':
      return <code>{value}</code>;
    default:
      return <span className="field-list__text">{value}</span>;
  }
}

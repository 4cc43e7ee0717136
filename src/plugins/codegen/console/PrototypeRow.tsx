import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { IconDown, IconUp } from '@arco-design/web-react/icon';
import { memo } from 'react';
import { useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { controls, Prototype, type PrototypeDraft, queryTypes } from '../contract.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';

const texts = ['jdbcComment', 'englishName', 'propertyName'] as const;
const flags = ['isList', 'isForm', 'isRow', 'isRequired', 'isQuery'] as const;

/** Editable fields of a prototype in the order of the columns. */
export const shownFields = [...texts, 'componentType', 'dictCode', ...flags, 'queryType'] as const;

/** Returns the title of a prototype's field. */
export const titleOf = (name: (typeof shownFields)[number]): LocalizedText => traitsOf(Prototype.fields[name])?.title ?? [name, name];

interface PrototypeRowProps {
  readonly of: PrototypeDraft;
  readonly place: number;
  readonly count: number;
  readonly onChange: (values: Partial<PrototypeDraft>) => void;
  /** Called with the new position of the row. */
  readonly onMove: (to: number) => void;
  readonly onDrag: () => void;
  readonly onDrop: () => void;
}

/** Row of one column of the table with the settings of its field. */
export const PrototypeRow = memo(
  function PrototypeRow({ of, place, count, onChange, onMove, onDrag, onDrop }: PrototypeRowProps) {
    const t = useTranslation();
    const label = (name: (typeof shownFields)[number]) => t(modelMessages.of, { column: of.jdbcName, what: t(titleOf(name)) });
    const measures = of.jdbcLength ? `(${of.jdbcLength}${of.jdbcScale ? `,${of.jdbcScale}` : ''})` : '';
    return (
      <tr onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        <td className={styles.moves} draggable onDragStart={onDrag}>
          <Button
            size="small"
            icon={<IconUp />}
            aria-label={t(modelMessages.up, { column: of.jdbcName })}
            disabled={place === 0}
            onClick={() => onMove(place - 1)}
          />
          <Button
            size="small"
            icon={<IconDown />}
            aria-label={t(modelMessages.down, { column: of.jdbcName })}
            disabled={place === count - 1}
            onClick={() => onMove(place + 1)}
          />
        </td>
        <th scope="row">
          {of.jdbcName}
          <span className={styles.hint}>
            {of.jdbcType}
            {measures}
            {of.referenceTable ? ` → ${of.referenceTable}` : ''}
          </span>
        </th>
        {texts.map((name) => (
          <td key={name}>
            <Input aria-label={label(name)} value={of[name]} maxLength={name === 'propertyName' ? 50 : 64} onChange={(value) => onChange({ [name]: value })} />
          </td>
        ))}
        <td>
          <Select
            aria-label={label('componentType')}
            value={of.componentType}
            options={controls.map(([value, words]) => ({ value, label: t(words) }))}
            onChange={(componentType: PrototypeDraft['componentType']) => onChange({ componentType })}
          />
        </td>
        <td>
          <Input aria-label={label('dictCode')} value={of.dictCode ?? ''} maxLength={64} onChange={(dictCode) => onChange({ dictCode: dictCode || null })} />
        </td>
        {flags.map((name) => (
          <td key={name} className={styles.flag}>
            <Checkbox aria-label={label(name)} checked={of[name] === 1} onChange={(on) => onChange({ [name]: on ? 1 : 0 })} />
          </td>
        ))}
        <td>
          <Select
            aria-label={label('queryType')}
            allowClear
            disabled={of.isQuery !== 1}
            value={of.queryType ?? ''}
            options={queryTypes.map(([value, words]) => ({ value, label: t(words) }))}
            onChange={(queryType?: PrototypeDraft['queryType']) => onChange({ queryType: queryType || null })}
          />
        </td>
      </tr>
    );
  },
  (before, after) => before.of === after.of && before.place === after.place && before.count === after.count,
);

import { Button, Checkbox, InputNumber, Radio, Select } from '@arco-design/web-react';
import { IconDragDotVertical } from '@arco-design/web-react/icon';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { headingOf, type ScreenField } from '../../model/entity-fields.ts';
import { pageSizes } from '../../model/list-query.ts';
import { type ColumnSetting, columnWidths, moveColumn, type TableSettings, withColumn } from '../../model/table-settings.ts';
import './settings.css';

/** Props of the settings of a table. */
export interface SettingsProps {
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly onChange: (settings: TableSettings | undefined) => void;
}

/** Edits this user's density, page size and columns of the table: visibility, order, width and pinning. */
export default function SettingsPanel({ fields, settings, onChange }: SettingsProps) {
  const t = useTranslation();
  const [dragged, setDragged] = useState<string>();
  const densities = [
    { value: 'default', label: t('crud.roomy') },
    { value: 'middle', label: t('crud.moderate') },
    { value: 'small', label: t('crud.compact') },
  ];
  const sizes = [{ value: 0, label: t('crud.followWindow') }, ...pageSizes.map((size) => ({ value: size, label: String(size) }))];
  const move = (name: string, index: number) => {
    const changed = moveColumn(settings, name, index);
    if (changed !== settings) onChange(changed);
  };
  return (
    <div className="crud-settings" role="dialog" aria-label={t('crud.settings')}>
      <fieldset>
        <legend>{t('crud.density')}</legend>
        <Radio.Group type="button" size="small" value={settings.density} options={densities} onChange={(density) => onChange({ ...settings, density })} />
      </fieldset>
      <fieldset>
        <legend>{t('crud.pageSize')}</legend>
        <Radio.Group
          type="button"
          size="small"
          value={settings.size ?? 0}
          options={sizes}
          onChange={(size: number) => onChange({ ...settings, size: size || undefined })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('crud.columns')}</legend>
        <ul className="crud-settings__columns">
          {settings.columns.map((column, index) => {
            const field = fields.find(({ name }) => name === column.name);
            return (
              field && (
                <li
                  key={column.name}
                  className={dragged === column.name ? 'crud-settings__column crud-settings__column_dragged' : 'crud-settings__column'}
                  onDragOver={(event) => {
                    event.preventDefault();
                    if (dragged && dragged !== column.name) move(dragged, index);
                  }}
                >
                  <ColumnRow
                    column={column}
                    field={field}
                    onChange={(change) => onChange(withColumn(settings, column.name, change))}
                    onMove={(by) => move(column.name, index + by)}
                    onDrag={(isDragged) => setDragged(isDragged ? column.name : undefined)}
                  />
                </li>
              )
            );
          })}
        </ul>
      </fieldset>
      <div className="crud-settings__foot">
        <span>{t('table.savedToAccount')}</span>
        <Button type="text" size="small" onClick={() => onChange(undefined)}>
          {t('crud.restore')}
        </Button>
      </div>
    </div>
  );
}

interface ColumnRowProps {
  readonly column: ColumnSetting;
  readonly field: ScreenField;
  readonly onChange: (change: Partial<ColumnSetting>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onDrag: (isDragged: boolean) => void;
}

function ColumnRow({ column, field, onChange, onMove, onDrag }: ColumnRowProps) {
  const t = useTranslation();
  const name = headingOf(field, t);
  const moveWithArrowKeys = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  const pins = [
    { value: 'none', label: t('table.pinNone') },
    { value: 'left', label: t('table.pinLeft') },
    { value: 'right', label: t('table.pinRight') },
  ];
  return (
    <>
      <button
        type="button"
        className="crud-settings__grip"
        draggable
        aria-label={t('table.moveColumn', { name })}
        title={t('table.moveColumn', { name })}
        onKeyDown={moveWithArrowKeys}
        onDragStart={() => onDrag(true)}
        onDragEnd={() => onDrag(false)}
      >
        <IconDragDotVertical />
      </button>
      <Checkbox checked={!column.hidden} onChange={(isShown) => onChange({ hidden: !isShown })}>
        {name}
      </Checkbox>
      <span className="crud-settings__more">
        <Select
          size="mini"
          aria-label={t('table.pinOf', { name })}
          value={column.pin ?? 'none'}
          options={pins}
          getPopupContainer={(node) => node.parentElement ?? document.body}
          onChange={(pin: string) => onChange({ pin: pin === 'none' ? undefined : (pin as 'left' | 'right') })}
        />
        <InputNumber
          size="mini"
          aria-label={t('table.widthOf', { name })}
          value={column.width}
          placeholder={t('table.widthAuto')}
          min={columnWidths.min}
          max={columnWidths.max}
          step={10}
          onChange={(width: number | undefined) => onChange({ width })}
        />
      </span>
    </>
  );
}

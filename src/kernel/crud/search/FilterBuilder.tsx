import { Button, ConfigProvider } from '@arco-design/web-react';
import { IconDelete, IconPlus } from '@arco-design/web-react/icon';
import { type SubmitEvent, useContext, useMemo, useState } from 'react';
import { isEmpty } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { type FilterCondition, type Operator, takesNoValue } from '../model/list-query.ts';
import { ConditionValue } from './ConditionValue.tsx';
import type { FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import { operatorsOf } from './operators.ts';
import './filters.css';

interface FilterBuilderProps extends FilterTrees {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  readonly onDone: () => void;
}

type DraftCondition = FilterCondition & { readonly key: number };

const { ConfigContext } = ConfigProvider;

/** Comparisons whose value is the end of a range. */
const isUpper = (operator: Operator) => operator === 'datele' || operator === 'datelt';

const isComplete = (condition: FilterCondition) => takesNoValue(condition.operator) || !isEmpty(condition.value);

const isWrong = (fields: readonly ScreenField[], { field, operator, value }: FilterCondition) => {
  const schemaField = fields.find(({ name }) => name === field);
  return schemaField !== undefined && !takesNoValue(operator) && hasExcessDecimals(schemaField, value);
};

/** Popups of the controls are mounted inside the panel, because a click outside closes it. */
const popupContainer = (node: HTMLElement) => node.parentElement ?? document.body;

/** Edits the conditions of the list; rows must meet all of them. */
export default function FilterBuilder({ store, fields, onDone, ...trees }: FilterBuilderProps) {
  const t = useTranslation();
  const around = useContext(ConfigContext);
  const pickerProps = useMemo(() => ({ ...around, size: 'small' as const, getPopupContainer: popupContainer }), [around]);
  const [count, setCount] = useState(100);
  const begin = (field: ScreenField, key: number): DraftCondition => ({ key, field: field.name, operator: operatorsOf(field)[0] ?? 'equal' });
  const [drafts, setDrafts] = useState<readonly DraftCondition[]>(() => {
    const active = (store.state.query.conditions ?? []).map((condition, key) => ({ ...condition, key }));
    return active.length > 0 || !fields[0] ? active : [begin(fields[0], 99)];
  });
  const change = (key: number, part: Partial<FilterCondition>) =>
    setDrafts((before) => before.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)));

  const add = () => {
    const [field] = fields;
    if (!field) return;
    setDrafts((before) => [...before, begin(field, count)]);
    setCount(count + 1);
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (drafts.some((draft) => isWrong(fields, draft))) return;
    // The wire format carries one condition for each field and comparison, so the last one wins.
    const byName = new Map(drafts.filter(isComplete).map(({ key: _, ...condition }) => [`${condition.field}_${condition.operator}`, condition]));
    store.setConditions([...byName.values()]);
    onDone();
  };

  return (
    <div className="crud-popup" role="dialog" aria-label={t('table.filterBuilder')}>
      <ConfigContext value={pickerProps}>
        <form className="crud-filters" onSubmit={submit}>
          <p className="crud-filters__hint">{t(drafts.length > 0 ? 'table.filterHint' : 'table.filterEmpty')}</p>
          {drafts.map((draft) => (
            <ConditionRow
              key={draft.key}
              {...trees}
              fields={fields}
              condition={draft}
              onChange={(part) => change(draft.key, part)}
              onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
            />
          ))}
          <div className="crud-filters__foot">
            <Button type="text" size="small" icon={<IconPlus />} onClick={add}>
              {t('table.addFilter')}
            </Button>
            <span>
              <Button size="small" onClick={() => setDrafts([])} disabled={drafts.length === 0}>
                {t('table.clearAll')}
              </Button>
              <Button size="small" type="primary" htmlType="submit">
                {t('table.filterApply')}
              </Button>
            </span>
          </div>
        </form>
      </ConfigContext>
    </div>
  );
}

interface ConditionRowProps extends FilterTrees {
  readonly fields: readonly ScreenField[];
  readonly condition: FilterCondition;
  readonly onChange: (part: Partial<FilterCondition>) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ fields, condition, onChange, onRemove, ...trees }: ConditionRowProps) {
  const t = useTranslation();
  const field = fields.find(({ name }) => name === condition.field) ?? fields[0];
  if (!field) return null;
  const select = (name: string) => {
    const selected = fields.find((one) => one.name === name);
    if (selected) onChange({ field: name, operator: operatorsOf(selected)[0] ?? 'equal', value: undefined });
  };
  return (
    <div className="crud-filters__row">
      <NamedSelect
        name={t('table.filterField')}
        value={field.name}
        options={fields.map(({ name, traits }) => ({ value: name, label: t(traits.title) }))}
        onChange={select}
      />
      <NamedSelect
        name={t('table.filterOperator')}
        value={condition.operator}
        options={operatorsOf(field).map((operator) => ({ value: operator, label: t(`table.operators.${operator}`) }))}
        onChange={(operator: Operator) => onChange({ operator })}
      />
      {takesNoValue(condition.operator) ? (
        <span />
      ) : (
        <ConditionValue
          {...trees}
          isEnd={isUpper(condition.operator)}
          key={field.name}
          field={field}
          value={condition.value}
          onChange={(value) => onChange({ value })}
        />
      )}
      <Button type="text" size="small" icon={<IconDelete />} aria-label={t('table.removeFilter', { name: t(field.traits.title) })} onClick={onRemove} />
    </div>
  );
}

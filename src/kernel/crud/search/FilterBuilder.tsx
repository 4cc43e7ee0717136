import { Button } from '@arco-design/web-react';
import { IconDelete, IconPlus } from '@arco-design/web-react/icon';
import { useRef } from 'react';
import { filtersIn, groupLimits, isGroup } from '#shared/filter-groups';
import { takesNoValue } from '#shared/list-parameters';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FilterCondition, Operator } from '../model/list-query.ts';
import { ConditionValue } from './ConditionValue.tsx';
import { type DraftCondition, type DraftGroup, type DraftPart, newCondition, newGroup, replacePart } from './condition-drafts.ts';
import type { FilterTrees } from './FilterPicker.tsx';
import { operatorsOf } from './operators.ts';

interface FilterBuilderProps extends FilterTrees {
  readonly fields: readonly ScreenField[];
  readonly group: DraftGroup;
  readonly onChange: (group: DraftGroup) => void;
}

/** Comparisons whose value is the end of a range. */
const isUpper = (operator: Operator) => operator === 'datele' || operator === 'datelt';

/** Edits conditions that rows must meet, all or any of them, and groups of such conditions. */
export function FilterBuilder({ group, onChange, ...props }: FilterBuilderProps) {
  const t = useTranslation();
  const isFull = filtersIn<DraftCondition>(group).length >= groupLimits.filters;
  const replace = (key: number, part: DraftPart | undefined) =>
    onChange(key === group.key ? ((part as DraftGroup | undefined) ?? { ...group, of: [] }) : replacePart(group, key, part));
  return (
    <section className="crud-builder" aria-label={t('table.conditions')}>
      <GroupEditor {...props} group={group} depth={1} isFull={isFull} onReplace={replace} />
    </section>
  );
}

interface GroupEditorProps extends FilterTrees {
  readonly fields: readonly ScreenField[];
  readonly group: DraftGroup;
  readonly depth: number;
  /** True when no further condition fits. */
  readonly isFull: boolean;
  readonly onReplace: (key: number, part: DraftPart | undefined) => void;
}

function GroupEditor({ group, depth, isFull, onReplace, ...props }: GroupEditorProps) {
  const t = useTranslation();
  const box = useRef<HTMLFieldSetElement>(null);
  const [field] = props.fields;
  if (!field) return null;
  const add = (part: DraftPart) => {
    onReplace(group.key, { ...group, of: [...group.of, part] });
    // The new part is rendered by then; its first control gets the focus.
    setTimeout(() => [...(box.current?.querySelectorAll<HTMLElement>('.crud-builder__first [role=combobox]') ?? [])].at(-1)?.focus());
  };
  const remove = (part: DraftPart) => {
    const builder = box.current?.closest('.crud-builder');
    onReplace(part.key, undefined);
    // An emptied group goes as well; the last button that adds to a group is always there.
    setTimeout(() => [...(builder?.querySelectorAll<HTMLElement>('.crud-builder__add button') ?? [])].at(-1)?.focus());
  };
  const joins = (['and', 'or'] as const).map((join) => ({ value: join, label: t(`table.join.${join}`) }));
  return (
    <fieldset ref={box} className={depth > 1 ? 'crud-builder__group crud-builder__group_inner' : 'crud-builder__group'} aria-label={t('table.group')}>
      {(group.of.length > 1 || depth > 1) && (
        <div className="crud-builder__join">
          <span>{t('table.joinBefore')}</span>
          <NamedSelect
            name={t('table.joinName')}
            size="small"
            value={group.join}
            options={joins}
            onChange={(join: DraftGroup['join']) => onReplace(group.key, { ...group, join })}
          />
          <span>{t('table.joinAfter')}</span>
          {depth > 1 && <RemoveButton name={t('table.removeGroup')} onClick={() => onReplace(group.key, undefined)} />}
        </div>
      )}
      {group.of.map((part, index) => (
        <div key={part.key} className="crud-builder__part">
          {group.of.length > 1 && <span className="crud-builder__word">{index === 0 ? t('table.whereWord') : t(`table.joinWord.${group.join}`)}</span>}
          {isGroup(part) ? (
            <GroupEditor {...props} group={part as DraftGroup} depth={depth + 1} isFull={isFull} onReplace={onReplace} />
          ) : (
            <ConditionRow {...props} condition={part} onChange={(change) => onReplace(part.key, { ...part, ...change })} onRemove={() => remove(part)} />
          )}
        </div>
      ))}
      <div className="crud-builder__add">
        <Button type="text" size="small" icon={<IconPlus />} disabled={isFull} onClick={() => add(newCondition(field))}>
          {t('table.addFilter')}
        </Button>
        {depth < groupLimits.depth && (
          <Button type="text" size="small" icon={<IconPlus />} disabled={isFull} onClick={() => add(newGroup(group, field))}>
            {t('table.addGroup')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const RemoveButton = ({ name, onClick }: { readonly name: string; readonly onClick: () => void }) => (
  <Button type="text" size="small" icon={<IconDelete />} aria-label={name} title={name} onClick={onClick} />
);

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
    const selected = fields.find((candidate) => candidate.name === name);
    if (selected) onChange({ field: name, operator: operatorsOf(selected)[0] ?? 'equal', value: undefined });
  };
  return (
    <div className="crud-filters__row">
      <span className="crud-builder__first">
        <NamedSelect
          name={t('table.filterField')}
          value={field.name}
          options={fields.map(({ name, traits }) => ({ value: name, label: t(traits.title) }))}
          onChange={select}
        />
      </span>
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
      <RemoveButton name={t('table.removeFilter', { name: t(field.traits.title) })} onClick={onRemove} />
    </div>
  );
}

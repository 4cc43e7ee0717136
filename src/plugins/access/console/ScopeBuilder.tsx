import { Button, Checkbox, Radio } from '@arco-design/web-react';
import { IconDelete, IconPlus } from '@arco-design/web-react/icon';
import { useId, useState } from 'react';
import { FieldControl, NamedSelect, SidePanel, useQuery, useTranslation, useUnsavedChanges } from '#kernel';
import type { FieldTraits } from '#shared/fields';
import type { ScopeCondition } from '#shared/scopes';
import { role } from '../contract.ts';
import { type RulePreview, ruleTypes, type ScopeArea, type ScopeField, scopeRule } from '../scope-contract.ts';
import access from './access.module.css';
import styles from './scope.module.css';
import {
  lineOf,
  needsValues,
  operatorsOf,
  readDraft,
  type ScopeDraft,
  type ScopeLine,
  type ScopeOperator,
  translateDraft,
  writeDraft,
} from './scope-drafts.ts';
import { builderMessages, operatorMessages } from './scope-messages.ts';

/** Conditions by entity: that of the edited area, and those derived from it for further areas. */
export type BuiltConditions = Readonly<Record<string, ScopeCondition>>;

interface ScopeBuilderProps {
  readonly area: ScopeArea;
  /** Further areas that can use the same conditions. */
  readonly others: readonly ScopeArea[];
  readonly condition: ScopeCondition | null | undefined;
  /** User as whom the rows are counted; undefined to pick a member of the role. */
  readonly userId?: string | undefined;
  readonly roleId?: string | undefined;
  readonly onDone: (conditions: BuiltConditions) => void;
  readonly onClose: () => void;
}

/** Builds the condition for the visible rows of an area, and counts the rows while it is edited. */
export default function ScopeBuilder(props: ScopeBuilderProps) {
  const t = useTranslation();
  return (
    <SidePanel open title={t(builderMessages.titleOf, { name: props.area.title })} width={720} onClose={props.onClose}>
      <Builder {...props} />
    </SidePanel>
  );
}

function Builder({ area, others, condition, onDone, onClose, ...people }: ScopeBuilderProps) {
  const t = useTranslation();
  const [draft, setDraft] = useState<ScopeDraft | undefined>(() => initialDraft(condition, area.fields));
  const [sharesWithOthers, setSharesWithOthers] = useState(false);
  const built = draft && writeDraft(draft);
  useUnsavedChanges(built !== undefined && JSON.stringify(built) !== JSON.stringify(condition));
  const shared = others.flatMap((other) => {
    const translated = draft && translateDraft(draft, area.fields, other.fields);
    const translatedCondition = translated && writeDraft(translated);
    return translatedCondition ? [{ other, condition: translatedCondition }] : [];
  });
  const done = () => {
    if (!built) return;
    onDone({ [area.entity]: built, ...(sharesWithOthers ? Object.fromEntries(shared.map(({ other, condition }) => [other.entity, condition])) : {}) });
  };
  return (
    <div className={access.grants}>
      <div className={styles.content}>
        {draft ? (
          <Lines fields={area.fields} draft={draft} onChange={setDraft} />
        ) : (
          <div className={styles.unreadable}>
            <p>{t(builderMessages.unreadable)}</p>
            <pre>{JSON.stringify(condition, null, 2)}</pre>
            <Button onClick={() => setDraft(initialDraft(undefined, area.fields))}>{t(builderMessages.replace)}</Button>
          </div>
        )}
        {shared.length > 0 && (
          <Checkbox className={styles.shared ?? ''} checked={sharesWithOthers} onChange={setSharesWithOthers}>
            {t(builderMessages.alsoFor, { names: shared.map(({ other }) => other.title).join(' · ') })}
          </Checkbox>
        )}
        <ScopePreview {...people} entity={area.entity} condition={draft ? built : (condition ?? undefined)} />
      </div>
      <div className={access.foot}>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button type="primary" disabled={!built} onClick={done}>
          {t(builderMessages.confirm)}
        </Button>
      </div>
    </div>
  );
}

/** A new condition begins with a line for the first field. */
function initialDraft(condition: ScopeCondition | null | undefined, fields: readonly ScopeField[]): ScopeDraft | undefined {
  const draft = readDraft(condition, fields);
  const [first] = fields;
  return draft && draft.lines.length === 0 && first ? { ...draft, lines: [lineOf(first, 0)] } : draft;
}

interface LinesProps {
  readonly fields: readonly ScopeField[];
  readonly draft: ScopeDraft;
  readonly onChange: (draft: ScopeDraft) => void;
}

function Lines({ fields, draft, onChange }: LinesProps) {
  const t = useTranslation();
  const { match, lines } = draft;
  const change = (key: number, part: Partial<ScopeLine>) =>
    onChange({ ...draft, lines: lines.map((line) => (line.key === key ? { ...line, ...part } : line)) });
  const add = () => {
    const unused = fields.find(({ path }) => !lines.some((line) => line.path === path)) ?? fields[0];
    if (unused) onChange({ ...draft, lines: [...lines, lineOf(unused, Math.max(-1, ...lines.map(({ key }) => key)) + 1)] });
  };
  return (
    <>
      {lines.length > 1 && (
        <Radio.Group
          type="button"
          size="small"
          aria-label={t(builderMessages.match)}
          value={match}
          onChange={(value: 'all' | 'any') => onChange({ ...draft, match: value })}
          options={(['all', 'any'] as const).map((value) => ({ value, label: t(builderMessages[value]) }))}
        />
      )}
      <ul className={styles.lines}>
        {lines.map((line) => (
          <Line
            key={line.key}
            fields={fields}
            line={line}
            onChange={(part) => change(line.key, part)}
            onRemove={() => onChange({ ...draft, lines: lines.filter(({ key }) => key !== line.key) })}
          />
        ))}
      </ul>
      <Button type="text" size="small" icon={<IconPlus />} onClick={add}>
        {t(builderMessages.add)}
      </Button>
    </>
  );
}

interface LineProps {
  readonly fields: readonly ScopeField[];
  readonly line: ScopeLine;
  readonly onChange: (part: Partial<ScopeLine>) => void;
  readonly onRemove: () => void;
}

function Line({ fields, line, onChange, onRemove }: LineProps) {
  const t = useTranslation();
  const field = fields.find(({ path }) => path === line.path);
  if (!field) return null;
  const select = (path: string) => {
    const selected = fields.find((one) => one.path === path);
    if (selected) onChange({ ...lineOf(selected, line.key) });
  };
  return (
    <li className={styles.line}>
      <NamedSelect
        name={t(builderMessages.field)}
        value={line.path}
        options={fields.map(({ path, title }) => ({ value: path, label: t(title) }))}
        onChange={select}
      />
      <NamedSelect
        name={t(builderMessages.operator)}
        value={line.operator}
        options={operatorsOf(field).map((operator) => ({ value: operator, label: t(operatorMessages[operator]) }))}
        onChange={(operator: ScopeOperator) => onChange({ operator })}
      />
      {needsValues(line.operator) ? <Values key={line.path} field={field} values={line.values} onChange={(values) => onChange({ values })} /> : <span />}
      <Button type="text" icon={<IconDelete />} aria-label={t(builderMessages.remove, { name: t(field.title) })} onClick={onRemove} />
    </li>
  );
}

interface ValuesProps {
  readonly field: ScopeField;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Picks the values by their titles, in the control of the field. */
function Values({ field: { path, title, traits }, values, onChange }: ValuesProps) {
  const t = useTranslation();
  const id = useId();
  const options = traits?.options ?? [];
  // Options keep the type of their values, while conditions store texts.
  const shown = options.length > 0 ? options.flatMap(([value]) => (values.includes(String(value)) ? [value] : [])) : values;
  const control = {
    id,
    field: { name: path, schema: {}, traits: { ...(traits as FieldTraits), title, multiple: true }, required: false, excludesRoot: true },
    value: shown,
    disabled: false,
    isInvalid: false,
    describedBy: undefined,
    onChange: (picked: unknown) => onChange([picked ?? []].flat().map(String)),
  };
  return (
    <span className={styles.values}>
      <label id={`${id}-label`} htmlFor={id} className="visually-hidden">
        {t(builderMessages.value)}
      </label>
      <FieldControl {...control} />
    </span>
  );
}

interface ScopePreviewProps {
  readonly entity: string;
  /** Undefined while it is incomplete. */
  readonly condition: ScopeCondition | undefined;
  readonly userId?: string | undefined;
  /** Role whose members can be picked to count as them. */
  readonly roleId?: string | undefined;
}

/** Shows how many rows a user would see, with examples. */
function ScopePreview({ entity, condition, userId, roleId }: ScopePreviewProps) {
  const t = useTranslation();
  const members = useQuery(role.members, { roleId: roleId ?? '0', size: 50 }, { enabled: roleId !== undefined, quiet: true });
  const [picked, setPicked] = useState<string>();
  const people = members.data?.records ?? [];
  const as = userId ?? picked ?? people[0]?.id;
  const isWaiting = roleId !== undefined && members.isPending;
  const input = { entity, type: ruleTypes.custom, condition: condition ?? null, ...(as ? { userId: as } : {}) };
  const { data, error } = useQuery(scopeRule.preview, input, {
    enabled: condition !== undefined && !isWaiting,
    keepPreviousData: true,
    debounceMs: 300,
    quiet: true,
  });
  return (
    <section className={styles.preview} aria-live="polite">
      {people.length > 0 && (
        <div className={styles.as}>
          <span aria-hidden>{t(builderMessages.as)}</span>
          <NamedSelect
            size="small"
            name={t(builderMessages.as)}
            value={as}
            options={people.map(({ id, realName, account }) => ({ value: id, label: `${realName} · ${account}` }))}
            onChange={setPicked}
          />
        </div>
      )}
      {condition === undefined ? <p className={styles.soft}>{t(builderMessages.incomplete)}</p> : error ? <p>{error.message}</p> : data && <Found {...data} />}
    </section>
  );
}

function Found({ sentence, total, of, isExact, titles }: RulePreview) {
  const t = useTranslation();
  const count = (value: number | null) => (value ?? 0).toLocaleString();
  return (
    <>
      <p className={styles.sentence}>{sentence}</p>
      <p className={styles.total}>
        {total === null
          ? t(builderMessages.uncounted)
          : total === 0
            ? t(builderMessages.none)
            : isExact
              ? t(builderMessages.count, { total: count(total), of: count(of) })
              : t(builderMessages.countMore, { total: count(total - 1) })}
      </p>
      {titles.length > 0 && (
        <p className={styles.soft}>
          {t(builderMessages.examples)}: {titles.join(' · ')}
        </p>
      )}
    </>
  );
}

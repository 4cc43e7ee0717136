import { Button, Input, Radio } from '@arco-design/web-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type Draft,
  matchesSearch,
  Toasts,
  useAddressText,
  useCan,
  useDraft,
  useMutation,
  usePinyin,
  useQuery,
  useService,
  useTranslation,
  useUnsavedChanges,
} from '#kernel';
import { parameterProblem } from '#shared/parameters';
import { paramMenu } from '../menus.ts';
import { type ParameterState, setting, settingMessages } from '../setting-contract.ts';
import styles from './setting.module.css';

/** Maximum of numbers whose declaration sets none. */
const noMaximum = 999_999_999;

/** Formats a number with thousands separators. Any other text stays as it is. */
const formatNumber = (value: string | number) => (Number.isFinite(Number(value)) ? Number(value).toLocaleString('en') : String(value));

/** Input of the editor of a setting. */
interface SettingDraft {
  readonly value: string;
  readonly tenantId: string;
}

interface SettingRowProps {
  readonly row: ParameterState;
  readonly isWritable: boolean;
  readonly onChanged: () => void;
}

/** Shows one setting with its value and its last change. */
function SettingRow({ row, isWritable, onChanged }: SettingRowProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const draft = useDraft<SettingDraft>(`${setting.set.path}:${row.key}`);
  const [isEditing, setIsEditing] = useState(isWritable && draft.found !== undefined);
  const [wasEdited, setWasEdited] = useState(false);
  const close = () => {
    draft.discard();
    setIsEditing(false);
    setWasEdited(true);
  };
  const done = () => {
    close();
    toasts.success(t(settingMessages.saved));
    onChanged();
  };
  const { mutate: reset } = useMutation(setting.reset, { onSuccess: done });
  const text = useValueText(row);
  const title = t(row.title);
  return (
    <li className={styles.row}>
      <div className={styles.description}>
        <strong>{title}</strong> <code>{row.key}</code>
        <p>{t(row.help)}</p>
      </div>
      <div className={styles.value}>
        <span>{text(row.value)}</span>
        <small>
          {row.isDefault ? t(settingMessages.isDefault) : t(settingMessages.defaultValue, { value: text(String(row.preset)) })}
          {row.type === 'whole' &&
            ` · ${t(row.maximum < noMaximum ? settingMessages.range : settingMessages.atLeast, { minimum: formatNumber(row.minimum), maximum: formatNumber(row.maximum) })}`}
        </small>
        {row.changedAt && row.changedBy && <small>{t(settingMessages.changed, { name: row.changedBy, time: row.changedAt })}</small>}
        {row.own.map(({ tenantId, tenantName, value }) => (
          <small key={tenantId}>
            {t(settingMessages.tenantValue, { name: tenantName, value: text(value) })}{' '}
            {isWritable && (
              <button type="button" onClick={() => void reset({ key: row.key, tenantId })}>
                {t(settingMessages.removeOverride)}
              </button>
            )}
          </small>
        ))}
      </div>
      {isWritable && !isEditing && (
        // The focus returns from the editor, which has disappeared.
        <Button size="small" autoFocus={wasEdited} aria-label={t(settingMessages.editOf, { title })} onClick={() => setIsEditing(true)}>
          {t(settingMessages.edit)}
        </Button>
      )}
      {isEditing && <SettingEditor row={row} draft={draft} onSaved={done} onReset={() => void reset({ key: row.key })} onCancel={close} />}
    </li>
  );
}

/** Formats a value for display: the label of an option, a number with its unit. */
function useValueText(row: ParameterState): (value: string) => string {
  const t = useTranslation();
  return (value) => {
    if (row.type === 'flag') return t(value === 'true' ? settingMessages.on : settingMessages.off);
    const option = row.type === 'choice' ? row.options.find(([one]) => String(one) === value) : undefined;
    if (option) return t(option[1]);
    if (value === '' || row.type !== 'whole') return value || t(settingMessages.empty);
    return `${formatNumber(value)}${row.unit ? ` ${t(row.unit)}` : ''}`;
  };
}

/** Lists all settings by group. Top task: find one by a word and change it, 2 clicks: edit, save. */
export default function SettingPage() {
  const t = useTranslation();
  const id = useId();
  const isWritable = useCan('setting_edit');
  const canOpenParams = useCan(paramMenu.code);
  const { data, isPending, refetch } = useQuery(setting.list, {}, { quiet: true });
  const [query, setQuery] = useAddressText('name', { change: 'replace' });
  usePinyin(query !== '');
  if (!data && !isPending)
    return (
      <p role="alert">
        {t(settingMessages.failed)} <Button onClick={refetch}>{t(settingMessages.retry)}</Button>
      </p>
    );
  const found = (data ?? []).filter((one) => matches(one, query));
  const groups = new Set(found.map(({ group }) => group[1]));
  return (
    <div className={styles.page} aria-busy={!data}>
      <div className={styles.head}>
        <label className={styles.hidden} htmlFor={id}>
          {t(settingMessages.search)}
        </label>
        <Input.Search id={id} className={styles.search ?? ''} value={query} onChange={setQuery} placeholder={t(settingMessages.search)} allowClear />
        <span role="status">{data && t(settingMessages.found, { count: found.length })}</span>
        {canOpenParams && <Link to={`${paramMenu.path}/index`}>{t(settingMessages.all)}</Link>}
      </div>
      {data && found.length === 0 && <p className={styles.none}>{t(settingMessages.none)}</p>}
      {[...groups].map((group) => (
        <section key={group} className={styles.group}>
          <h2>{t(found.find((one) => one.group[1] === group)?.group ?? ['', ''])}</h2>
          <ul>
            {found
              .filter((one) => one.group[1] === group)
              .map((row) => (
                <SettingRow key={row.key} row={row} isWritable={isWritable} onChanged={refetch} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Tests whether every word of the query occurs in the key or texts of a setting, in either language, or in the pinyin of its titles. */
function matches({ key, group, title, help, value }: ParameterState, query: string): boolean {
  const text = [key, ...group, ...title, ...help, value].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || [...group, ...title].some((one) => matchesSearch(one, word)));
}

interface SettingEditorProps {
  readonly row: ParameterState;
  readonly draft: Draft<SettingDraft>;
  readonly onSaved: () => void;
  readonly onReset: () => void;
  readonly onCancel: () => void;
}

/** Edits one setting inline. Enter saves, Escape cancels. */
function SettingEditor({ row, draft, onSaved, onReset, onCancel }: SettingEditorProps) {
  const t = useTranslation();
  const id = useId();
  const [value, setValue] = useState(draft.found?.value ?? row.value);
  const [tenantId, setTenantId] = useState(draft.found?.tenantId ?? '');
  const isDirty = value !== row.value || tenantId !== '';
  useUnsavedChanges(isDirty);
  const { store, discard } = draft;
  useEffect(() => {
    if (isDirty) store({ value, tenantId });
    else discard();
  }, [isDirty, store, discard, value, tenantId]);
  const { isPending, mutate } = useMutation(setting.set, { onSuccess: onSaved });
  const problem = parameterProblem(row, value);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) void mutate({ key: row.key, value, ...(tenantId.trim() && { tenantId: tenantId.trim() }) });
  };
  const cancelOnEscape = ({ key, nativeEvent }: KeyboardEvent) => {
    // Within an input method, Escape cancels the composition only.
    if (key === 'Escape' && !nativeEvent.isComposing) onCancel();
  };
  return (
    <form className={styles.editor} onSubmit={save} onKeyDown={cancelOnEscape}>
      <label htmlFor={id} className={styles.hidden}>
        {t(row.title)}
      </label>
      <ValueControl id={id} row={row} value={value} onChange={setValue} describedBy={problem && `${id}-problem`} />
      {row.isPerTenant && (
        <Input value={tenantId} onChange={setTenantId} aria-label={t(settingMessages.tenant)} placeholder={t(settingMessages.tenant)} autoComplete="off" />
      )}
      {problem && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {t(problem)}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="primary" size="small" htmlType="submit" loading={isPending} disabled={problem !== undefined}>
          {t(settingMessages.save)}
        </Button>
        <Button size="small" onClick={onCancel}>
          {t('shell.cancel')}
        </Button>
        {!row.isDefault && (
          <Button size="small" type="text" onClick={onReset}>
            {t(settingMessages.reset)}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ValueControlProps {
  readonly id: string;
  readonly row: ParameterState;
  readonly value: string;
  readonly describedBy: string | undefined;
  readonly onChange: (value: string) => void;
}

function ValueControl({ id, row, value, describedBy, onChange }: ValueControlProps) {
  const t = useTranslation();
  if (row.type === 'whole' || row.type === 'text')
    return (
      <Input
        id={id}
        // Pressing the edit button moves the focus to the input.
        autoFocus
        value={value}
        onChange={onChange}
        {...(row.type === 'whole' ? { inputMode: 'numeric' as const, ...(row.unit && { addAfter: t(row.unit) }) } : {})}
        error={describedBy !== undefined}
        {...(describedBy && { 'aria-describedby': describedBy })}
      />
    );
  const options =
    row.type === 'choice'
      ? row.options.map(([option, label]) => ({ value: String(option), label: t(label) }))
      : [
          { value: 'true', label: t(settingMessages.on) },
          { value: 'false', label: t(settingMessages.off) },
        ];
  return <Radio.Group value={value} onChange={(selected: string) => onChange(selected)} options={options} aria-label={t(row.title)} />;
}

import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { Http, Toasts, useService, useWords } from '#kernel';
import { type ParameterState, setting, settingWords } from '../setting-contract.ts';
import { SettingEditor } from './SettingEditor.tsx';
import styles from './setting.module.css';

/** Maximum of numbers without a declared limit. */
const unlimited = 999_999_999;

/** Formats a number with thousands separators. Any other text stays as it is. */
const grouped = (value: string | number) => (Number.isFinite(Number(value)) ? Number(value).toLocaleString('en') : String(value));

interface SettingRowProps {
  readonly row: ParameterState;
  readonly isWritable: boolean;
  readonly onChanged: () => void;
}

/** Shows one setting with its value and its last change. */
export function SettingRow({ row, isWritable, onChanged }: SettingRowProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [isEditing, setIsEditing] = useState(false);
  const done = () => {
    setIsEditing(false);
    toasts.success(say(settingWords.saved));
    onChanged();
  };
  const reset = async (tenantId?: string) => {
    const answer = await http.send(setting.reset, { key: row.key, ...(tenantId && { tenantId }) }).catch(() => undefined);
    if (answer?.success) done();
  };
  const text = useValueText(row);
  const title = say(row.title);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>{title}</strong> <code>{row.key}</code>
        <p>{say(row.help)}</p>
      </div>
      <div className={styles.value}>
        <span>{text(row.value)}</span>
        <small>
          {row.isDefault ? say(settingWords.isDefault) : say(settingWords.preset, { value: text(String(row.preset)) })}
          {row.type === 'whole' &&
            ` · ${say(row.maximum < unlimited ? settingWords.range : settingWords.atLeast, { minimum: grouped(row.minimum), maximum: grouped(row.maximum) })}`}
        </small>
        {row.changedAt && row.changedBy && <small>{say(settingWords.changed, { name: row.changedBy, time: row.changedAt })}</small>}
        {row.own.map(({ tenantId, tenantName, value }) => (
          <small key={tenantId}>
            {say(settingWords.own, { name: tenantName, value: text(value) })}{' '}
            {isWritable && (
              <button type="button" onClick={() => void reset(tenantId)}>
                {say(settingWords.removeOwn)}
              </button>
            )}
          </small>
        ))}
      </div>
      {isWritable && !isEditing && (
        <Button size="small" aria-label={say(settingWords.editOf, { title })} onClick={() => setIsEditing(true)}>
          {say(settingWords.edit)}
        </Button>
      )}
      {isEditing && <SettingEditor row={row} onSaved={done} onReset={() => void reset()} onCancel={() => setIsEditing(false)} />}
    </li>
  );
}

/** Formats a value for display: the label of an option, a number with its unit. */
function useValueText({ type, ...row }: ParameterState): (value: string) => string {
  const say = useWords();
  return (value) => {
    if (type === 'flag') return say(value === 'true' ? settingWords.on : settingWords.off);
    const option = 'options' in row ? row.options.find(([one]) => String(one) === value) : undefined;
    if (option) return say(option[1]);
    const unit = 'unit' in row && row.unit ? ` ${say(row.unit)}` : '';
    return value === '' ? say(settingWords.empty) : `${type === 'whole' ? grouped(value) : value}${unit}`;
  };
}

import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { Http, Toasts, useService, useTranslation } from '#kernel';
import { type ParameterState, setting, settingMessages } from '../setting-contract.ts';
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
  const t = useTranslation();
  const [isEditing, setIsEditing] = useState(false);
  const done = () => {
    setIsEditing(false);
    toasts.success(t(settingMessages.saved));
    onChanged();
  };
  const reset = async (tenantId?: string) => {
    const answer = await http.send(setting.reset, { key: row.key, ...(tenantId && { tenantId }) }).catch(() => undefined);
    if (answer?.success) done();
  };
  const text = useValueText(row);
  const title = t(row.title);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>{title}</strong> <code>{row.key}</code>
        <p>{t(row.help)}</p>
      </div>
      <div className={styles.value}>
        <span>{text(row.value)}</span>
        <small>
          {row.isDefault ? t(settingMessages.isDefault) : t(settingMessages.preset, { value: text(String(row.preset)) })}
          {row.type === 'whole' &&
            ` · ${t(row.maximum < unlimited ? settingMessages.range : settingMessages.atLeast, { minimum: grouped(row.minimum), maximum: grouped(row.maximum) })}`}
        </small>
        {row.changedAt && row.changedBy && <small>{t(settingMessages.changed, { name: row.changedBy, time: row.changedAt })}</small>}
        {row.own.map(({ tenantId, tenantName, value }) => (
          <small key={tenantId}>
            {t(settingMessages.own, { name: tenantName, value: text(value) })}{' '}
            {isWritable && (
              <button type="button" onClick={() => void reset(tenantId)}>
                {t(settingMessages.removeOwn)}
              </button>
            )}
          </small>
        ))}
      </div>
      {isWritable && !isEditing && (
        <Button size="small" aria-label={t(settingMessages.editOf, { title })} onClick={() => setIsEditing(true)}>
          {t(settingMessages.edit)}
        </Button>
      )}
      {isEditing && <SettingEditor row={row} onSaved={done} onReset={() => void reset()} onCancel={() => setIsEditing(false)} />}
    </li>
  );
}

/** Formats a value for display: the label of an option, a number with its unit. */
function useValueText({ type, ...row }: ParameterState): (value: string) => string {
  const t = useTranslation();
  return (value) => {
    if (type === 'flag') return t(value === 'true' ? settingMessages.on : settingMessages.off);
    const option = 'options' in row ? row.options.find(([one]) => String(one) === value) : undefined;
    if (option) return t(option[1]);
    const unit = 'unit' in row && row.unit ? ` ${t(row.unit)}` : '';
    return value === '' ? t(settingMessages.empty) : `${type === 'whole' ? grouped(value) : value}${unit}`;
  };
}

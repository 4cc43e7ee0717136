import { Button, Input, Radio } from '@arco-design/web-react';
import { type FormEvent, useId, useState } from 'react';
import { Http, useService, useTranslation } from '#kernel';
import { parameterFault } from '#shared/parameters';
import { type ParameterState, setting, settingMessages } from '../setting-contract.ts';
import styles from './setting.module.css';

interface SettingEditorProps {
  readonly row: ParameterState;
  readonly onSaved: () => void;
  readonly onReset: () => void;
  readonly onCancel: () => void;
}

/** Edits one setting inline. Enter saves, Escape cancels. */
export function SettingEditor({ row, onSaved, onReset, onCancel }: SettingEditorProps) {
  const http = useService(Http);
  const t = useTranslation();
  const id = useId();
  const [value, setValue] = useState(row.value);
  const [tenantId, setTenantId] = useState('');
  const [isSaving, setIsSaving] = useState(false);
  const fault = parameterFault(row, value);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (fault) return;
    setIsSaving(true);
    const answer = await http.send(setting.set, { key: row.key, value, ...(tenantId.trim() && { tenantId: tenantId.trim() }) }).catch(() => undefined);
    setIsSaving(false);
    if (answer?.success) onSaved();
  };
  return (
    <form className={styles.editor} onSubmit={(event) => void save(event)} onKeyDown={(event) => event.key === 'Escape' && onCancel()}>
      <label htmlFor={id} className={styles.hidden}>
        {t(row.title)}
      </label>
      <ValueControl id={id} row={row} value={value} onChange={setValue} describedBy={fault && `${id}-fault`} />
      {row.isPerTenant && (
        <Input value={tenantId} onChange={setTenantId} aria-label={t(settingMessages.tenant)} placeholder={t(settingMessages.tenant)} autoComplete="off" />
      )}
      {fault && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {t(fault)}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="primary" size="small" htmlType="submit" loading={isSaving} disabled={fault !== undefined}>
          {t(settingMessages.save)}
        </Button>
        <Button size="small" onClick={onCancel}>
          {t(settingMessages.cancel)}
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
      ? row.options.map(([option, words]) => ({ value: String(option), label: t(words) }))
      : [
          { value: 'true', label: t(settingMessages.on) },
          { value: 'false', label: t(settingMessages.off) },
        ];
  return <Radio.Group value={value} onChange={(chosen: string) => onChange(chosen)} options={options} aria-label={t(row.title)} />;
}

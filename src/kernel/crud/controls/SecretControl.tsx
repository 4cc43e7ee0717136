import { Checkbox, Input } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { removedSecret } from '../model/entity-fields.ts';
import { type ControlProps, inputProps } from './control.ts';

/** Input for a secret. The stored secret is never shown, and an empty input leaves it unchanged; a removable one can be removed, and the consequences are shown. */
export default function SecretControl(props: ControlProps) {
  const t = useTranslation();
  const { value, rowId, title, field, disabled, onChange } = props;
  const { removable } = field.traits;
  const isRemoved = value === removedSecret;
  return (
    <>
      <Input.Password
        {...inputProps(props)}
        disabled={disabled || isRemoved}
        autoComplete="new-password"
        value={value === undefined || value === null || isRemoved ? '' : String(value)}
        placeholder={removable && title ? title : rowId === undefined ? '' : t('form.unchanged')}
        onChange={onChange}
      />
      {removable && title && (
        <div className="crud-form__help">
          <Checkbox checked={isRemoved} disabled={disabled} onChange={(checked) => onChange(checked ? removedSecret : undefined)}>
            {t('form.removeSecret', { title: t(field.traits.title) })}
          </Checkbox>
          <div aria-live="polite">{isRemoved && t(removable.meaning)}</div>
        </div>
      )}
    </>
  );
}

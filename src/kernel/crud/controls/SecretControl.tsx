import { Input } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, inputProps } from './control.ts';

/** Enters a secret. The stored one is never shown and stays when the field is left empty. */
export default function SecretControl(props: ControlProps) {
  const t = useTranslation();
  const { value, rowId, onChange } = props;
  return (
    <Input.Password
      {...inputProps(props)}
      autoComplete="new-password"
      value={value === undefined || value === null ? '' : String(value)}
      placeholder={rowId === undefined ? '' : t('form.unchanged')}
      onChange={onChange}
    />
  );
}

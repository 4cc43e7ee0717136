import { Input } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, inputProps } from './control.ts';

/** Input for a secret. The stored secret is never shown, and an empty input leaves it unchanged. */
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

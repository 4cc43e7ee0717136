import { Input } from '@arco-design/web-react';
import { useText } from '../../platform/i18n/use-words.ts';
import { type ControlProps, plainProps } from './control.ts';

/** Enters a secret. The stored one is never shown and stays when the field is left empty. */
export default function SecretControl(props: ControlProps) {
  const text = useText();
  const { value, rowId, onChange } = props;
  return (
    <Input.Password
      {...plainProps(props)}
      autoComplete="new-password"
      value={value === undefined || value === null ? '' : String(value)}
      placeholder={rowId === undefined ? '' : text('form.unchanged')}
      onChange={onChange}
    />
  );
}

import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, inputProps } from './control.ts';
import { NumberInput } from './NumberInput.tsx';

/** Input for a number with its unit. Money is entered in yuan and stored in 分 (cents). */
export function NumberControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, isWrong, onChange } = props;
  const { placeholder } = field.traits;
  return (
    <NumberInput
      {...inputProps(props)}
      {...(isWrong ? { error: true, 'aria-invalid': true } : {})}
      field={field}
      value={value}
      {...(placeholder ? { placeholder: t(placeholder) } : {})}
      onChange={onChange}
    />
  );
}

import { InputNumber, type InputNumberProps } from '@arco-design/web-react';
import type { SchemaLimits } from '#shared/field-traits';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { type ControlProps, inputProps } from './control.ts';

/** Input for a number with its unit. Money is entered in yuan and stored in 分 (cents). */
export function NumberControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, isInvalid, onChange } = props;
  const { placeholder } = field.traits;
  return (
    <NumberInput
      {...inputProps(props)}
      {...(isInvalid ? { error: true, 'aria-invalid': true } : {})}
      field={field}
      value={value}
      {...(placeholder ? { placeholder: t(placeholder) } : {})}
      onChange={onChange}
    />
  );
}

type OwnProps = 'value' | 'min' | 'max' | 'precision' | 'formatter' | 'parser' | 'onChange' | 'suffix' | 'defaultValue';

interface NumberInputProps extends Omit<InputNumberProps, OwnProps> {
  readonly field: Pick<ScreenField, 'schema' | 'traits'>;
  readonly value: unknown;
  /** False for filters, which can compare with any number. */
  readonly isBounded?: boolean;
  readonly onChange: (value: number | undefined) => void;
}

/** Enters a number, or an amount in yuan that is stored in 分 (cents). Input out of bounds is kept and refused by the validation of the field; the step buttons stay within the bounds. */
export function NumberInput({ field: { schema, traits }, value, isBounded = true, onChange, ...rest }: NumberInputProps) {
  const t = useTranslation();
  const isMoney = traits.widget === 'money';
  const scale = isMoney ? 100 : 1;
  const { minimum, maximum } = isBounded ? (schema as SchemaLimits) : {};
  const decimals = isMoney ? 2 : (traits.decimals ?? 0);
  const hasValue = (typeof value === 'number' || typeof value === 'string') && value !== '';
  const scaled = (bound: number | undefined) => (bound === undefined ? undefined : bound / scale);
  return (
    <InputNumber
      {...rest}
      // An explicit `undefined` is needed, otherwise the input keeps the last value.
      value={hasValue ? Number(value) / scale : (undefined as unknown as number)}
      aria-valuemin={scaled(minimum)}
      aria-valuemax={scaled(maximum)}
      parser={(typed) => typed.normalize('NFKC').replace(/[^\w.-]+/g, '')}
      formatter={(shown, { userTyping }) => (userTyping ? String(shown) : padDecimals(String(shown), decimals))}
      {...(isMoney ? { prefix: '¥' } : traits.unit && isBounded ? { suffix: t(traits.unit) } : {})}
      onChange={(typed, reason) => {
        if (!Number.isFinite(typed)) return onChange(undefined);
        // Without rounding, 1.1 yuan would be 110.00000000000001 cents.
        const number = Number((typed * scale).toFixed(6));
        onChange(reason === 'increase' || reason === 'decrease' ? Math.min(Math.max(number, minimum ?? number), maximum ?? number) : number);
      }}
    />
  );
}

/** Adds zeros up to the decimals of the field and keeps further ones. */
const padDecimals = (text: string, decimals: number) =>
  text !== '' && Number.isFinite(Number(text)) && (text.split('.')[1] ?? '').length < decimals ? Number(text).toFixed(decimals) : text;

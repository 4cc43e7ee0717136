import { InputNumber } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, inputProps } from './control.ts';

/** Enters a number with its unit. Money is entered in yuan and stored in 分 (cents). */
export function NumberControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, isWrong, onChange } = props;
  const { widget, unit, decimals: places = 0, placeholder } = field.traits;
  const { minimum = -Infinity, maximum = Infinity } = field.schema as { minimum?: number; maximum?: number };
  const isMoney = widget === 'money';
  const scale = isMoney ? 100 : 1;
  const isGiven = (typeof value === 'number' || typeof value === 'string') && value !== '';
  return (
    <InputNumber
      {...inputProps(props)}
      {...(isWrong ? { error: true } : {})}
      // An explicit `undefined` is needed, otherwise the input keeps the last value.
      value={isGiven ? Number(value) / scale : (undefined as unknown as number)}
      min={minimum / scale}
      max={maximum / scale}
      precision={isMoney ? 2 : places}
      {...(isMoney ? { prefix: '¥', suffix: t('form.yuan') } : unit ? { suffix: t(unit) } : {})}
      {...(placeholder ? { placeholder: t(placeholder) } : {})}
      onChange={(newValue) => onChange(Number.isFinite(newValue) ? Math.round(newValue * scale * 1e6) / 1e6 : undefined)}
    />
  );
}

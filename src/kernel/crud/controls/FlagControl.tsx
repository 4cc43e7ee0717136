import { Switch } from '@arco-design/web-react';
import { useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ChoiceControl } from './ChoiceControl.tsx';
import { type ControlProps, useAccessibleName } from './control.ts';

/** Renders a switch; where the value may be empty or emptied, a choice of yes, no and neither. */
export function FlagControl(props: ControlProps) {
  const isBoolean = [(props.field.schema as { type?: string | string[] }).type].flat().includes('boolean');
  const { required, traits } = props.field;
  if (!traits.clearable && (required || props.value !== null)) return <FlagSwitch {...props} isBoolean={isBoolean} />;
  return <ChoiceControl {...props} onChange={(selected) => props.onChange(isBoolean && selected !== undefined ? selected === 'true' : selected)} />;
}

function FlagSwitch(props: ControlProps & { readonly isBoolean: boolean }) {
  const t = useTranslation();
  const { value, disabled, isBoolean, onChange, field } = props;
  const box = useRef<HTMLDivElement>(null);
  useAccessibleName(box, 'button', props);
  const isOn = value === true || value === 1 || value === '1' || value === 'true';
  const said = field.traits.options?.[isOn ? 1 : 0]?.[1];
  return (
    <div ref={box} className="crud-flag">
      <Switch checked={isOn} disabled={disabled} onChange={(on) => onChange(isBoolean ? on : Number(on))} />
      <span aria-hidden="true">{said && t(said)}</span>
    </div>
  );
}

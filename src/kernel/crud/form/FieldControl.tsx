import { Input } from '@arco-design/web-react';
import { type ComponentType, lazy, Suspense } from 'react';
import type { Widget } from '#shared/fields';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { Switch } from '../../ui/primitives/Switch.tsx';
import { ChoiceControl } from '../controls/ChoiceControl.tsx';
import { type ControlProps, inputProps } from '../controls/control.ts';
import { NumberControl } from '../controls/NumberInput.tsx';

export type { ControlProps } from '../controls/control.ts';

type Control = ComponentType<ControlProps>;

const DateTimeControl = lazyComponent(() => import('../controls/DateTimeControl.tsx'));
const FilesControl = lazyComponent(() => import('../controls/files/FilesControl.tsx'));

/** Control of each widget; heavy or rare ones are lazy-loaded. */
const controls: { readonly [Kind in Widget]: Control } = {
  text: TextControl,
  textarea: TextControl,
  email: TextControl,
  phone: TextControl,
  url: TextControl,
  secret: lazyComponent(() => import('../controls/SecretControl.tsx')),
  number: NumberControl,
  money: NumberControl,
  choice: ChoiceControl,
  flag: FlagControl,
  dictionary: lazyComponent(() => import('../controls/DictionaryControl.tsx')),
  reference: lazyComponent(() => import('../controls/references/ReferenceControl.tsx')),
  parent: lazyComponent(() => import('../controls/ParentControl.tsx')),
  'date-time': DateTimeControl,
  date: DateTimeControl,
  time: DateTimeControl,
  period: lazyComponent(() => import('../controls/PeriodControl.tsx')),
  image: FilesControl,
  attachment: FilesControl,
  'rich-text': lazyComponent(() => import('../controls/RichTextControl.tsx')),
  code: lazyComponent(() => import('../controls/code/CodeControl.tsx')),
  cron: lazyComponent(() => import('../controls/cron/CronControl.tsx')),
};

/** Renders the control of a field's widget; while it loads, a disabled input with the title of the value. */
export function FieldControl(props: ControlProps) {
  const WidgetControl = controls[props.field.traits.widget];
  return (
    <Suspense fallback={<Input id={props.id} disabled value={props.title ?? ''} />}>
      <WidgetControl {...props} />
    </Suspense>
  );
}

/** Renders a switch, or a select of yes and no if the value can be empty. */
function FlagControl(props: ControlProps) {
  const isBoolean = [(props.field.schema as { type?: string | string[] }).type].flat().includes('boolean');
  const { required, traits } = props.field;
  if (!traits.clearable && (required || props.value !== null)) return <FlagSwitch {...props} isBoolean={isBoolean} />;
  return <ChoiceControl {...props} onChange={(selected) => props.onChange(isBoolean && selected !== undefined ? selected === 'true' : selected)} />;
}

function FlagSwitch(props: ControlProps & { readonly isBoolean: boolean }) {
  const t = useTranslation();
  const { id, value, disabled, isBoolean, isInvalid, describedBy, onChange, field } = props;
  const isOn = value === true || value === 1 || value === '1' || value === 'true';
  const stateTitle = field.traits.options?.[isOn ? 1 : 0]?.[1];
  return (
    <div className="crud-flag">
      <Switch
        id={id}
        isOn={isOn}
        disabled={disabled}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onChange={(on) => onChange(isBoolean ? on : Number(on))}
      />
      <span aria-hidden="true">{stateTitle && t(stateTitle)}</span>
    </div>
  );
}

const SuggestControl = lazy(() => import('../controls/SuggestControl.tsx'));

const inputTypes = {
  email: { type: 'email', autoComplete: 'off' },
  phone: { type: 'tel', inputMode: 'numeric', maxLength: 11, autoComplete: 'off' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'off' },
} as const;

/** Renders an input for text: a single line, several lines, an e-mail address, a phone number or a web address. */
function TextControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, onChange } = props;
  const { widget, placeholder, suggestions, suggestFrom } = field.traits;
  const text = {
    ...inputProps(props),
    value: value === undefined || value === null ? '' : String(value),
    onChange,
    ...(placeholder ? { placeholder: t(placeholder) } : {}),
  };
  if (suggestions || suggestFrom) return <SuggestControl {...props} />;
  if (widget === 'textarea') return <Input.TextArea {...text} aria-invalid={props.isInvalid} autoSize={{ minRows: 3, maxRows: 12 }} />;
  return <Input {...text} {...(widget in inputTypes ? inputTypes[widget as keyof typeof inputTypes] : {})} />;
}

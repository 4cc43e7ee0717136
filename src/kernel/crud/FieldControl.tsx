import { Input, InputNumber, Radio } from '@arco-design/web-react';
import { lazy, Suspense } from 'react';
import { useWords } from '../i18n/use-words.ts';
import type { ParentTree } from './crud-screen.ts';
import type { FormField } from './entity-fields.ts';
import { NamedSelect } from './NamedSelect.tsx';
import type { ParentTrees } from './parent-trees.ts';

const DateTimeControl = lazy(() => import('./DateTimeControl.tsx'));
const ParentControl = lazy(() => import('./ParentControl.tsx'));

/** What a control is told about its field. */
export interface ControlProps {
  readonly field: FormField;
  readonly id: string;
  readonly value: unknown;
  readonly disabled: boolean;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly parents?: ParentTree | undefined;
  readonly trees: ParentTrees;
  /** The row that is edited: it cannot stand below itself. */
  readonly rowId?: string | undefined;
}

/** The control a field's widget asks for. */
export function FieldControl(props: ControlProps) {
  switch (props.field.traits.widget) {
    case 'textarea':
    case 'text':
      return <TextControl {...props} />;
    case 'number':
      return <NumberControl {...props} />;
    case 'choice':
      return <ChoiceControl {...props} />;
    default:
      return (
        <Suspense fallback={<Input id={props.id} disabled />}>
          {props.field.traits.widget === 'parent' ? <ParentControl {...props} /> : <DateTimeControl {...props} />}
        </Suspense>
      );
  }
}

const common = ({ id, disabled, isWrong, describedBy, field }: ControlProps) => ({
  id,
  disabled,
  ...(isWrong ? { status: 'error' as const } : {}),
  'aria-required': field.required,
  'aria-describedby': describedBy,
});

function TextControl(props: ControlProps) {
  const say = useWords();
  const { field, value, onChange } = props;
  const placeholder = field.traits.placeholder && say(field.traits.placeholder);
  const text = { ...common(props), value: value === undefined || value === null ? '' : String(value), onChange, ...(placeholder ? { placeholder } : {}) };
  return field.traits.widget === 'textarea' ? (
    <Input.TextArea {...text} aria-invalid={props.isWrong} autoSize={{ minRows: 3, maxRows: 12 }} />
  ) : (
    <Input {...text} />
  );
}

function NumberControl(props: ControlProps) {
  const { minimum = -Infinity, maximum = Infinity } = props.field.schema as { minimum?: number; maximum?: number };
  const number = typeof props.value === 'number' || typeof props.value === 'string' ? { value: props.value } : {};
  const text = common(props);
  return (
    <InputNumber
      {...text}
      {...(props.isWrong ? { error: true } : {})}
      {...number}
      min={minimum}
      max={maximum}
      precision={0}
      onChange={(value) => props.onChange(value)}
    />
  );
}

/** Few choices are seen at once, many are picked from a list. */
function ChoiceControl(props: ControlProps) {
  const say = useWords();
  const { field, id, value, disabled, isWrong, describedBy, onChange } = props;
  const options = (field.traits.options ?? []).map(([choice, title]) => ({ value: choice, label: say(title) }));
  if (options.length <= 4 && field.required) {
    return (
      <fieldset className="crud-choice" aria-labelledby={`${id}-label`} aria-describedby={describedBy} disabled={disabled}>
        <Radio.Group value={value} disabled={disabled} options={options} onChange={onChange} />
      </fieldset>
    );
  }
  return (
    <NamedSelect
      id={id}
      name={say(field.traits.title)}
      describedBy={describedBy}
      required={field.required}
      disabled={disabled}
      allowClear={!field.required}
      options={options}
      onChange={(chosen) => onChange(chosen)}
      {...(isWrong ? { status: 'error' as const } : {})}
      value={(value ?? undefined) as string | number | undefined}
    />
  );
}

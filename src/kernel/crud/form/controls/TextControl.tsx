import { Input } from '@arco-design/web-react';
import { lazy } from 'react';
import { useWords } from '../../../i18n/use-words.ts';
import { type ControlProps, plainProps } from './control.ts';

const KnownControl = lazy(() => import('./KnownControl.tsx'));

const kinds = {
  email: { type: 'email', autoComplete: 'off' },
  phone: { type: 'tel', inputMode: 'numeric', maxLength: 11, autoComplete: 'off' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'off' },
} as const;

/** Enters text: one line, several, or one of a known form. */
export function TextControl(props: ControlProps) {
  const say = useWords();
  const { field, value, onChange } = props;
  const { widget, placeholder, known, knownFrom } = field.traits;
  const text = {
    ...plainProps(props),
    value: value === undefined || value === null ? '' : String(value),
    onChange,
    ...(placeholder ? { placeholder: say(placeholder) } : {}),
  };
  if (known || knownFrom) return <KnownControl {...props} />;
  if (widget === 'textarea') return <Input.TextArea {...text} aria-invalid={props.isWrong} autoSize={{ minRows: 3, maxRows: 12 }} />;
  return <Input {...text} {...(widget in kinds ? kinds[widget as keyof typeof kinds] : {})} />;
}

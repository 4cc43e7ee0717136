import { Input } from '@arco-design/web-react';
import { lazy } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, inputProps } from './control.ts';

const SuggestControl = lazy(() => import('./SuggestControl.tsx'));

const kinds = {
  email: { type: 'email', autoComplete: 'off' },
  phone: { type: 'tel', inputMode: 'numeric', maxLength: 11, autoComplete: 'off' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'off' },
} as const;

/** Enters text: a single line, several lines, an email address or a phone number. */
export function TextControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, onChange } = props;
  const { widget, placeholder, suggestions, suggestFrom: knownFrom } = field.traits;
  const text = {
    ...inputProps(props),
    value: value === undefined || value === null ? '' : String(value),
    onChange,
    ...(placeholder ? { placeholder: t(placeholder) } : {}),
  };
  if (suggestions || knownFrom) return <SuggestControl {...props} />;
  if (widget === 'textarea') return <Input.TextArea {...text} aria-invalid={props.isWrong} autoSize={{ minRows: 3, maxRows: 12 }} />;
  return <Input {...text} {...(widget in kinds ? kinds[widget as keyof typeof kinds] : {})} />;
}

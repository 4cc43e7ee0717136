import { Select, type SelectProps } from '@arco-design/web-react';
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface';
import { useEffect, useRef } from 'react';

interface NamedSelectProps extends Omit<SelectProps, 'value'> {
  readonly name: string;
  readonly value: string | number | undefined;
  readonly describedBy?: string | undefined;
  readonly required?: boolean | undefined;
}

/** Adds to Arco's select the accessible name and the invalid state that its props do not offer. */
export function NamedSelect({ name, value, describedBy, required, ...props }: NamedSelectProps) {
  const select = useRef<SelectHandle>(null);
  const isInvalid = props.status === 'error';
  useEffect(() => {
    const box = select.current?.dom;
    if (box) setAttributes(box, { 'aria-label': name, 'aria-describedby': describedBy, 'aria-required': required, 'aria-invalid': isInvalid || undefined });
  }, [name, describedBy, required, isInvalid]);
  return <Select ref={select} {...props} {...({ value } as SelectProps)} />;
}

/** Sets attributes that an Arco component does not accept as props; `undefined` removes one. */
export function setAttributes(element: Element, attributes: Readonly<Record<string, string | boolean | undefined>>): void {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(attribute);
    else element.setAttribute(attribute, String(value));
  }
}

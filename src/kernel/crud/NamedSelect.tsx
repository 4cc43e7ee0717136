import { Select, type SelectProps } from '@arco-design/web-react';
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface';
import { useEffect, useRef } from 'react';

interface NamedSelectProps extends Omit<SelectProps, 'value'> {
  readonly name: string;
  readonly value: string | number | undefined;
  readonly describedBy?: string | undefined;
  readonly required?: boolean | undefined;
}

/** Arco's select with what it cannot be given: a name for those who do not see it, and whether it is wrong. */
export function NamedSelect({ name, value, describedBy, required, ...props }: NamedSelectProps) {
  const select = useRef<SelectHandle>(null);
  const isWrong = props.status === 'error';
  useEffect(() => {
    const box = select.current?.dom;
    if (box) setAttributes(box, { 'aria-label': name, 'aria-describedby': describedBy, 'aria-required': required, 'aria-invalid': isWrong || undefined });
  }, [name, describedBy, required, isWrong]);
  return <Select ref={select} {...props} {...({ value } as SelectProps)} />;
}

/** Sets attributes a component of Arco does not take; `undefined` takes one away. */
export function setAttributes(element: Element, attributes: Readonly<Record<string, string | boolean | undefined>>): void {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(attribute);
    else element.setAttribute(attribute, String(value));
  }
}

import type { InputHTMLAttributes } from 'react';

/** Renders a text input of the line of a list: the browser's own, in the look of Arco's, whose code a list does not need before its first rows. */
export function LineInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} type="text" className="arco-input arco-input-size-default crud-line-input" />;
}

import { Input } from '@arco-design/web-react';
import { IconDown } from '@arco-design/web-react/icon';
import { useText } from '../../platform/i18n/use-words.ts';

/** Placeholder that looks like a picker until the picker is loaded. */
export function PendingPicker({ id, isPicked }: { readonly id: string; readonly isPicked: boolean }) {
  const text = useText();
  return <Input id={id} readOnly placeholder={isPicked ? '' : text('crud.any')} suffix={<IconDown />} />;
}

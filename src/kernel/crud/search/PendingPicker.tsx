import { Input } from '@arco-design/web-react';
import { IconDown } from '@arco-design/web-react/icon';
import { useText } from '../../i18n/use-words.ts';

/** Stands where a picker will be, and looks like it, until its file is there. */
export function PendingPicker({ id, isPicked }: { readonly id: string; readonly isPicked: boolean }) {
  const text = useText();
  return <Input id={id} readOnly placeholder={isPicked ? '' : text('crud.any')} suffix={<IconDown />} />;
}

import { Input } from '@arco-design/web-react';
import { IconDown } from '@arco-design/web-react/icon';
import { useTranslation } from '../../platform/i18n/use-translation.ts';

/** Placeholder that looks like a picker until the picker is loaded. */
export function PendingPicker({ id, isPicked }: { readonly id: string; readonly isPicked: boolean }) {
  const t = useTranslation();
  return <Input id={id} readOnly placeholder={isPicked ? '' : t('crud.any')} suffix={<IconDown />} />;
}

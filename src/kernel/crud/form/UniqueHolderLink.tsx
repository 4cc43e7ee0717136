import { Suspense, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { FormStore } from './form-store.ts';

const RecordDialog = lazyComponent(() => import('./RecordDialog.tsx'));

/** Opens the record that already has the value of a field, over the form, which keeps its input. Renders nothing if the server named no record. */
export function UniqueHolderLink({ form, name }: { readonly form: FormStore; readonly name: string }) {
  const t = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const link = useRef<HTMLButtonElement>(null);
  const holder = useStore(form, ({ holder, values }) => (holder?.field === name && holder.value === values[name] ? holder : undefined));
  if (!holder || !form.crud.detail) return null;
  const close = () => {
    setOpen(false);
    link.current?.focus();
  };
  return (
    <>
      <button ref={link} type="button" className="crud-form__summary-link" onClick={() => setOpen(true)}>
        {holder.name ? t('crud.recordNamed', { title: t('crud.view'), name: holder.name }) : t('form.viewHolder')}
      </button>
      {isOpen && (
        <Suspense>
          <RecordDialog crud={form.crud} id={holder.id} name={holder.name} container={() => link.current?.closest('.crud') ?? document.body} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

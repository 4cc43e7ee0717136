import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { focusField } from './focus-field.ts';

/** Returns a function that tells whether a file of the form is still being uploaded, and then says so: a form that is saved meanwhile would lose it. */
export function useUploadGuard(): (form: HTMLFormElement | null) => boolean {
  const toasts = useService(Toasts);
  const t = useTranslation();
  return (form) => {
    const field = form?.querySelector('.crud-files progress')?.closest<HTMLElement>('[data-field]')?.dataset.field;
    if (field === undefined) return false;
    toasts.warning(t('form.stillUploading'));
    focusField(form, field);
    return true;
  };
}

import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';

const focusable = ':is(input, textarea, button, [role=combobox], [contenteditable=true]):not([tabindex="-1"], [disabled])';

/** Focuses the control of a field, if it exists. */
export function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const item = form?.querySelector(`[data-field="${name}"]`);
  // A control inside a folded section cannot be focused.
  const folded = item?.closest('details');
  if (folded) folded.open = true;
  const editor = item?.querySelector('[data-shadow]')?.shadowRoot?.querySelector<HTMLElement>('[contenteditable=true]');
  (editor ?? item?.querySelector<HTMLElement>(`.crud-form__control ${focusable}`))?.focus();
}

/** Returns a function that tests whether a file of the form is still being uploaded, and shows a warning if so. A form that is saved before the upload ends would lose the file. */
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

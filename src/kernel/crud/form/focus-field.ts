const typed = ':is(input, textarea, button, [role=combobox], [contenteditable=true]):not([tabindex="-1"], [disabled])';

/** Focuses the control of a field, if it exists. */
export function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const item = form?.querySelector(`[data-field="${name}"]`);
  const editor = item?.querySelector('[data-shadow]')?.shadowRoot?.querySelector<HTMLElement>('[contenteditable=true]');
  (editor ?? item?.querySelector<HTMLElement>(`.crud-form__control ${typed}`))?.focus();
}

/** Puts a text on the clipboard; false when the browser will not have it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS there is no clipboard to write to, but what is selected can be copied.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const holder = document.createElement('textarea');
  holder.className = 'visually-hidden';
  holder.value = text;
  // Outside of an open dialog nothing takes the focus.
  (before?.closest('dialog, [role=dialog]') ?? document.body).append(holder);
  try {
    holder.select();
    return document.execCommand('copy');
  } finally {
    holder.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

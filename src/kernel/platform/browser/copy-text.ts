/** Copies a text to the clipboard; resolves false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS there is no clipboard API, but selected text can be copied.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const holder = document.createElement('textarea');
  holder.className = 'visually-hidden';
  holder.value = text;
  // Inside an open modal dialog only its own content can take the focus.
  (before?.closest('dialog, [role=dialog]') ?? document.body).append(holder);
  try {
    holder.select();
    return document.execCommand('copy');
  } finally {
    holder.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** Saves a file to the user's downloads under the given name. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the URL after this task, so it is revoked later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

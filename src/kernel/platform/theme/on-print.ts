/** Calls the listener before the page is laid out for printing and after printing; the listener must do its work synchronously. */
export function onPrint(listen: (isPrinting: boolean) => void): () => void {
  const begin = () => listen(true);
  const end = () => listen(false);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

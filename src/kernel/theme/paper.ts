/** Tells that what is on screen is about to be laid out for paper, and that it is back; what it is told must be done when the listener returns. */
export function onPaper(listen: (isPaper: boolean) => void): () => void {
  const begin = () => listen(true);
  const end = () => listen(false);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

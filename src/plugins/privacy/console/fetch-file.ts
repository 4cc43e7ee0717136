/** Downloads a signed link; the server sends it as an attachment, so the page stays. */
export function fetchFile(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

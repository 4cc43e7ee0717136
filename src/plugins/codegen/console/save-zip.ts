import { saveFile } from '#kernel';

/** Downloads an archive in the browser. */
export function saveZip({ name, content }: { readonly name: string; readonly content: string }): void {
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  saveFile(name, new Blob([bytes], { type: 'application/zip' }));
}

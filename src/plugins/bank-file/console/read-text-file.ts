/** Lets the user select a CSV file and resolves with its text; with undefined if none is selected. Spreadsheets in China save CSV as GB 18030 unless asked for UTF-8. */
export function readTextFile(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.csv,text/csv';
    input.addEventListener('cancel', () => resolve(undefined));
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file) file.arrayBuffer().then((bytes) => resolve(decode(bytes)), reject);
      else resolve(undefined);
    });
    input.click();
  });
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

import { type CellValue, readXlsx, type Sheet, writeXlsx } from 'hucre/xlsx';

/**
 * Reads the first sheet of a workbook, with its styles, notes and rules. The product reads and writes sheets with its own code, so this library checks both
 * independently.
 */
export async function openSheet(bytes: Uint8Array): Promise<Sheet> {
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  const [sheet] = sheets;
  if (!sheet) throw new Error('The workbook has no sheet.');
  return sheet;
}

/** Returns the rows of a workbook's first sheet, without empty rows and without empty cells at the end of a row. */
export async function sheetOf(bytes: Uint8Array): Promise<CellValue[][]> {
  const { rows } = await openSheet(bytes);
  return rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1)).filter((row) => row.length > 0);
}

/** Builds a workbook of one sheet. */
export async function workbookOf(rows: readonly (readonly CellValue[])[]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet1', rows: rows.map((row) => [...row]) }] }));
}

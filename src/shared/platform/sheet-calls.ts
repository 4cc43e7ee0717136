import * as Type from 'typebox';
import { type Call, type Entity, get, ListQuery, NoInput, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';
import { codes } from '../contract/menu-entry.ts';
import { TransferRow } from '../contract/transfer-schemas.ts';

const IsCovered = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], default: 0 });
const Sheet = Type.Unsafe<never>({ type: 'string', format: 'binary' });

/**
 * Declares the import and export calls of BladeX-compatible clients: a whole sheet in one request, under its headings. With `isCovered` 1, existing rows take the
 * values of the sheet; otherwise they are refused. All rows of a sheet are imported, or none.
 */
export const sheetCalls = (path: string, name: string, entity: Entity, menu: string) => {
  const may = codes(menu);
  return {
    importSheet: post(`${path}/import-${name}`, {
      title: ['整表导入', 'Import a spreadsheet'],
      access: { code: may.import },
      upload: true,
      input: Type.Object({ isCovered: Type.Optional(IsCovered) }),
      reply: TransferRow,
    }),
    exportSheet: get(`${path}/export-${name}`, {
      title: ['整表导出', 'Export as a spreadsheet'],
      access: { code: may.export },
      download: true,
      filterable: entity,
      input: ListQuery,
      reply: Sheet,
    }),
    sheetTemplate: get(`${path}/export-template`, {
      title: ['整表导入模板', 'Spreadsheet template'],
      access: { code: may.import },
      download: true,
      input: NoInput,
      reply: Sheet,
    }),
  };
};

/** Calls that `sheetCalls` declares. */
export type SheetCalls = { readonly [Name in keyof ReturnType<typeof sheetCalls>]: Call };

/** Refusals of a whole-sheet import or export. */
export const sheetProblems = {
  rowsRefused: problem(400, ['{count} 行数据有误，未导入任何数据：{rows}', 'Nothing was imported. Rows with errors: {count}. {rows}']),
  continuesInBackground: problem(409, ['数据较多，请稍后在下载中心获取', 'This takes a while. Get the file from the download center later.']),
  failed: problem(409, ['{reason}', '{reason}']),
};

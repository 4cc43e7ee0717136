import { Optional as Omissible, Object as Shape, Unsafe } from 'typebox';
import { type Call, type Entity, get, ListQuery, Nothing, post } from './contract.ts';
import { problem } from './errors.ts';
import { codes } from './menu-entry.ts';
import { TransferRow } from './transfer-schemas.ts';

const Covering = Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], default: 0 });
const Sheet = Unsafe<string>({ type: 'string', format: 'binary' });

/**
 * How clients of the family bring the rows of a screen in and out: a whole sheet in one request, under its headings. With `isCovered` 1, rows that are
 * there already take the values of the sheet; without, they are refused. All rows of a sheet are taken, or none.
 */
export const sheetCalls = (path: string, name: string, of: Entity, menu: string) => {
  const may = codes(menu);
  return {
    importSheet: post(`${path}/import-${name}`, {
      title: ['整表导入', 'Import a sheet'],
      who: { code: may.import },
      upload: true,
      input: Shape({ isCovered: Omissible(Covering) }),
      reply: TransferRow,
    }),
    exportSheet: get(`${path}/export-${name}`, {
      title: ['整表导出', 'Export as a sheet'],
      who: { code: may.export },
      download: true,
      rows: of,
      input: ListQuery,
      reply: Sheet,
    }),
    sheetTemplate: get(`${path}/export-template`, {
      title: ['整表导入模板', 'Sheet to fill in'],
      who: { code: may.import },
      download: true,
      input: Nothing,
      reply: Sheet,
    }),
  };
};

/** What `sheetCalls` gives. */
export type SheetCalls = { readonly [Name in keyof ReturnType<typeof sheetCalls>]: Call };

/** Why a whole sheet is not brought in or taken out. */
export const sheetProblems = {
  rowsRefused: problem(400, ['{count} 行数据有误，未导入任何数据：{rows}', 'Nothing was imported. Rows with errors: {count}. {rows}']),
  goesOn: problem(409, ['数据较多，请稍后在下载中心获取', 'This takes a while. Fetch it from the download centre later.']),
  failed: problem(409, ['{reason}', '{reason}']),
};

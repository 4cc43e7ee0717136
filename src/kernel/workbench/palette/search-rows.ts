import type { Call, Menu } from '#shared/contract';
import { listAddress } from '#shared/list-address';
import type { CrudCalls } from '../../crud/model/crud-screen.ts';
import type { Find, SearchResult } from '../../host/plugin/plugin.ts';
import { Http } from '../../platform/http/http.ts';
import { ResponseError } from '../../platform/http/response-error.ts';

/** Options of a search over the rows of a generic screen. */
export interface RowSearch {
  readonly menu: Menu;
  readonly crud: CrudCalls;
  /** Fields to search; they are marked `search` in the contract. */
  readonly by: readonly string[];
  readonly title: string;
  /** Field that distinguishes rows: it is shown beside the title and filters the list that opens. */
  readonly detail: string;
}

const maxRows = 5;
type Row = Readonly<Record<string, unknown>>;

/** Searches rows through the list call of their screen; selecting a row opens the screen filtered to it. */
export function searchRows({ menu, crud, by, title, detail }: RowSearch): Find {
  const toFound = (row: Row): SearchResult => {
    const value = String(row[detail] ?? '');
    const location = listAddress(`${menu.path}/index`, { conditions: [{ field: detail, operator: 'equal', value }] });
    return { key: String(row.id), title: String(row[title] ?? ''), detail: value, location };
  };
  return async (query, { get }, signal) => {
    const answers = await Promise.all(
      by.map((field) => get(Http).send(crud.list as Call, { current: 1, size: maxRows, [field]: query }, { signal, quiet: true })),
    );
    const failed = answers.find(({ success }) => !success);
    if (failed) throw new ResponseError(failed.code, failed.msg);
    const rows = answers.flatMap(({ data }) => rowsOf(data));
    return [...new Map(rows.map((row) => [row.id, toFound(row)])).values()].slice(0, maxRows);
  };
}

/** Reads the rows of a page or of an unpaged list. */
function rowsOf(data: unknown): readonly Row[] {
  if (Array.isArray(data)) return data as Row[];
  return (data as { records?: Row[] } | null)?.records ?? [];
}

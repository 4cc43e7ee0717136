import type { Readable } from 'node:stream';
import { type CallRequest, type Principal, type Route, route, type ServedScreen, type ServerContext } from '#server';
import type { Crud } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { sheetProblems } from '#shared/sheet-calls';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { TransferRow } from '#shared/transfer-schemas';
import { transfers as calls } from '../contract.ts';
import type { SourceFile } from './import-source.ts';
import { transferProblems } from './problems.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { type Transfers, waitMs } from './transfers.ts';

// No transaction stays open while a sheet is read or written.
const withoutTransaction = { manualTransactions: true } as const;

/** Serves the download centre of each user. */
export function downloadCentreRoutes(files: ServerContext['files'], { rows, runner }: Transfers): Route[] {
  const withLiveProgress = (row: TransferRow): TransferRow => {
    const running = row.state === 'running' ? runner.progressOf(row.id) : undefined;
    return running ? { ...row, progress: Math.max(row.progress, running.progress), total: running.total ?? row.total } : row;
  };

  return [
    route(calls.list, async ({ principal, language }) => (await rows.list(principal, language)).map(withLiveProgress)),
    route(calls.detail, async ({ input, principal, language }) => withLiveProgress(await rows.detail(principal, language, input.id))),
    route(calls.link, async ({ input, principal }) => {
      const id = await rows.fileIdOf(principal, input.id, input.part);
      const file = id === undefined ? undefined : await files.find(principal.tenantId, id);
      if (!file) throw new ApiError(problems.notFound);
      return { link: files.linkTo(file) };
    }),
    route(calls.problems, ({ input, principal, language }) => rows.rowProblems(principal, input.id, language)),
    route(calls.passwords, ({ input, principal }) => rows.takePasswords(principal, input.id), { ...withoutTransaction, noStore: true }),
    route(
      calls.cancel,
      async ({ input, principal, language }) => {
        if (runner.runsFor(input.id, principal.userId)) await runner.cancel(input.id);
        await rows.cancel(principal, input.id);
        const row = await rows.detail(principal, language, input.id);
        if (row.state === 'running') await runner.cancel(input.id);
        await runner.settle(input.id, 2000);
        return rows.detail(principal, language, input.id);
      },
      withoutTransaction,
    ),
    route(
      calls.retry,
      async ({ input, principal, language }) => {
        if (await rows.retry(principal, input.id)) await runner.announce();
        await runner.settle(input.id, 1000);
        return rows.detail(principal, language, input.id);
      },
      withoutTransaction,
    ),
    route(
      calls.remove,
      async ({ input, principal }) => {
        await files.remove(principal.tenantId, await rows.remove(principal, input.ids));
      },
      withoutTransaction,
    ),
  ];
}

/** Serves the calls that export and import a generic screen. */
export function screenRoutes(screen: ServedScreen, transfers: Transfers): Route[] {
  const { crud } = screen;
  const target = { ...screen, entity: crud.entity };
  transfers.add(target);

  return [
    route(crud.export, ({ input, principal, language }) => transfers.export(target, principal, language, input), withoutTransaction),
    route(crud.importTemplate, ({ principal, language }) => transfers.template(target, principal, language), withoutTransaction),
    route(
      crud.importPreview,
      ({ principal, language, upload }) => {
        if (!upload) throw new ApiError(problems.missingParameter, { name: 'file' });
        return transfers.preview(target, principal, language, upload);
      },
      withoutTransaction,
    ),
    route(crud.importMapping, ({ input, principal, language }) => transfers.previewStored(target, principal, language, input), withoutTransaction),
    route(crud.import, ({ input, principal, language }) => transfers.import(target, principal, language, input), withoutTransaction),
    ...(crud.historyExport
      ? [route(crud.historyExport, ({ input, principal, language }) => transfers.exportHistory(target, principal, language, input), withoutTransaction)]
      : []),
  ];
}

const maxProblemsShown = 10;
const rowMessage: LocalizedText = ['第 {line} 行：{message}', 'Row {line}: {message}'];
const problemSeparators = { zh: '；', en: '; ' } as const;

/** Serves the calls by which BladeX-compatible clients import and export rows, one request for a whole sheet. */
export function sheetRoutes(screen: ServedScreen, transfers: Transfers): Route[] {
  if (!screen.sheets) return [];
  const { calls, columns, form, repository } = screen.sheets;
  const [addTarget, overwriteTarget] = [false, true].map((overwrites): TransferTarget => {
    // One call has two targets; the path of the target records the mode across restarts.
    const importCall = overwrites ? { ...calls.importSheet, path: `${calls.importSheet.path}?isCovered=1` } : calls.importSheet;
    const submit = { ...screen.crud.submit, input: form };
    const crud = { ...screen.crud, submit, import: importCall, export: calls.exportSheet } as Crud;
    return { ...screen, crud, entity: { ...screen.crud.entity, fields: columns }, repository: repository(overwrites) };
  }) as [TransferTarget, TransferTarget];
  // An export uses the target added last.
  for (const target of [overwriteTarget, addTarget]) transfers.add(target);
  const options = { manualTransactions: true };
  return [
    route(
      calls.importSheet,
      ({ input, principal, language, upload }) => {
        if (!upload) throw new ApiError(problems.missingParameter, { name: 'file' });
        const overwrites = (input as { isCovered?: 0 | 1 }).isCovered === 1;
        if (overwrites && !principal.codes.has(`${screen.crud.menu}_edit`)) throw new ApiError(problems.forbidden);
        return importSheet(transfers, overwrites ? overwriteTarget : addTarget, { principal, language, upload });
      },
      options,
    ),
    route(
      calls.exportSheet,
      ({ input, principal, language }) => exportSheet(transfers, addTarget, principal, language, input as Record<string, string>),
      options,
    ),
    route(
      calls.sheetTemplate,
      async ({ principal, language }) => {
        const file = await transfers.templateFile(addTarget, principal, language);
        return download(file, await transfers.files.open(file));
      },
      options,
    ),
  ];
}

type SheetRequest = Pick<CallRequest, 'principal' | 'language' | 'upload'>;

async function importSheet(transfers: Transfers, target: TransferTarget, { principal, language, upload }: SheetRequest) {
  const { fileId, mapping } = await transfers.preview(target, principal, language, upload as NonNullable<SheetRequest['upload']>);
  const row = await transfers.import(target, principal, language, { fileId, mapping, mode: 'all' }, waitMs);
  if (row.state !== 'failed') return row;
  const rows = await transfers.rows.rowProblems(principal, row.id, language);
  if (rows.length === 0) throw new ApiError(sheetProblems.failed, { reason: row.message ?? '' });
  const lines = rows.slice(0, maxProblemsShown).map(({ row: line, message }) => localize(rowMessage, language, { line, message }));
  throw new ApiError(sheetProblems.rowsRefused, { count: row.bad, rows: lines.join(problemSeparators[language]) }, { data: { rows } });
}

async function exportSheet(transfers: Transfers, target: TransferTarget, principal: Principal, language: Language, query: Record<string, string>) {
  const { current: _, size: __, ...filters } = query;
  const row = await transfers.export(target, principal, language, { format: 'xlsx', query: filters }, true);
  if (row.state === 'failed') throw new ApiError(sheetProblems.failed, { reason: row.message ?? '' });
  if (row.state !== 'done') throw new ApiError(sheetProblems.continuesInBackground);
  const id = await transfers.rows.fileIdOf(principal, row.id, 'result');
  const file = id === undefined ? undefined : await transfers.files.find(principal.tenantId, id);
  if (!file) throw new ApiError(transferProblems.failed);
  return download(file, await transfers.files.open(file));
}

const download = ({ name, type, size }: SourceFile, content: Readable) => ({ name, type, size, isPublic: false, content });

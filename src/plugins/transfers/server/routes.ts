import { type Route, route, type ServedScreen, type ServerContext } from '#server';
import { ApiError, problems } from '#shared/errors';
import type { TransferRow } from '#shared/transfer-schemas';
import { transfers as calls } from '../contract.ts';
import { transferProblems } from './problems.ts';
import type { Transfers } from './transfers.ts';

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
      const id = await rows.file(principal, input.id, input.part);
      const file = id === undefined ? undefined : await files.find(principal.tenantId, id);
      if (!file) throw new ApiError(problems.notFound);
      return { link: files.linkTo(file) };
    }),
    route(calls.problems, ({ input, principal, language }) => rows.problems(principal, input.id, language)),
    route(calls.passwords, ({ input, principal }) => rows.passwords(principal, input.id), { ...withoutTransaction, noStore: true }),
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
        const { removed, files: fileIds } = await rows.remove(principal, input.ids);
        if (removed === 0) throw new ApiError(transferProblems.stillRunning);
        await files.remove(principal.tenantId, fileIds);
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

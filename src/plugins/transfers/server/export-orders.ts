import { actingAs, type Principals } from '#server';
import { ApiError, problems } from '#shared/errors';
import { type ExportOrder, ListExports } from '../server-extension.ts';
import type { TransferTarget } from './sheet-forms.ts';
import type { Transfers } from './transfers.ts';

interface ExportOrdersDeps {
  readonly principals: Pick<Principals, 'find' | 'authorize'>;
  readonly target: (path: string) => TransferTarget | undefined;
  readonly transfers: Pick<Transfers, 'export' | 'rows' | 'runner'>;
}

const pollMs = 500;

/** Runs exports of other plugins like those of users. */
export class ExportOrders extends ListExports {
  constructor(private readonly deps: ExportOrdersDeps) {
    super();
  }

  override async runExport({ tenantId, userId, list, format, query, language, signal }: ExportOrder): Promise<{ rows: number; fileName: string }> {
    const { principals, target: targetOf, transfers } = this.deps;
    const target = targetOf(`${list}/export`);
    if (!target) throw new ApiError(problems.notFound);
    const owner = principals.authorize(await principals.find(tenantId, userId), target.crud.export);
    const request = { format, ...(query ? { query } : {}) };
    let row = await actingAs(owner, () => transfers.export(target, owner, language, request, true));
    while (row.state === 'queued' || row.state === 'running') {
      if (signal.aborted) {
        await transfers.runner.cancel(row.id);
        await transfers.rows.cancel(owner, row.id);
        signal.throwIfAborted();
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      row = await transfers.rows.detail(owner, language, row.id);
    }
    if (row.state !== 'done') throw new Error(row.message || row.state);
    return { rows: row.progress, fileName: row.fileName ?? '' };
  }
}

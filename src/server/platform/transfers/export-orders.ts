import { ApiError, problems } from '#shared/errors';
import type { Language } from '#shared/text';
import { actingAs } from '../../data/context/actor.ts';
import { authorize } from '../http/authorize-call.ts';
import type { Principal } from '../principal/principal.ts';
import type { TransferTarget } from './targets.ts';
import type { ExportRequest } from './transfer-rows.ts';
import type { Transfers } from './transfers.ts';

/** An export that is not requested on a screen. */
export interface ExportOrder {
  readonly tenantId: string;
  /** Owner, whose permissions apply and whose download centre receives the file. */
  readonly userId: string;
  /** Path of the list without its last segment: `/api/blade-desk/notice`. */
  readonly list: string;
  readonly format: 'csv' | 'xlsx';
  readonly query?: ExportRequest['query'];
  readonly language: Language;
  readonly signal: AbortSignal;
}

interface ExportOrdersDeps {
  readonly find: (tenantId: string, userId: string) => Promise<Principal | undefined>;
  readonly target: (path: string) => TransferTarget | undefined;
  readonly transfers: Pick<Transfers, 'export' | 'rows' | 'runner'>;
}

const lookEvery = 500;

/** Exports of lists on behalf of other plugins, for example on a schedule. */
export class ExportOrders {
  constructor(private readonly deps: ExportOrdersDeps) {}

  /** Runs an export and resolves once the file is in the owner's download centre; throws an `ApiError` if the list does not exist or the owner may not export it. */
  async runExport({ tenantId, userId, list, format, query, language, signal }: ExportOrder): Promise<{ rows: number; fileName: string }> {
    const { find, target: targetOf, transfers } = this.deps;
    const target = targetOf(`${list}/export`);
    if (!target) throw new ApiError(problems.notFound);
    const owner = await find(tenantId, userId);
    authorize({ call: target.crud.export, writes: false }, owner);
    if (!owner) throw new ApiError(problems.forbidden);
    const request = { format, ...(query ? { query } : {}) };
    let row = await actingAs(owner, () => transfers.export(target, owner, language, request, true));
    while (row.state === 'queued' || row.state === 'running') {
      if (signal.aborted) {
        await transfers.runner.cancel(row.id);
        await transfers.rows.cancel(owner, row.id);
        signal.throwIfAborted();
      }
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
      row = await transfers.rows.detail(owner, language, row.id);
    }
    if (row.state !== 'done') throw new Error(row.message || row.state);
    return { rows: row.progress, fileName: row.fileName ?? '' };
  }
}

import { problems, Refusal } from '#shared/errors';
import type { Language } from '#shared/text';
import { actingAs } from '../audit/actor.ts';
import type { Principal } from '../auth/principal.ts';
import { admit } from '../http/admission.ts';
import type { TransferTarget } from './targets.ts';
import type { ExportRequest } from './transfer-rows.ts';
import type { Transfers } from './transfers.ts';

/** An export that nobody waits for at a screen. */
export interface ExportOrder {
  readonly tenantId: string;
  /** Whose it is: it holds what they may see now, and waits in their download centre. */
  readonly userId: string;
  /** The address of the list without its last part: `/api/blade-desk/notice`. */
  readonly list: string;
  readonly format: 'csv' | 'xlsx';
  readonly query?: ExportRequest['query'];
  readonly language: Language;
  readonly signal: AbortSignal;
}

interface Parts {
  readonly find: (tenantId: string, userId: string) => Promise<Principal | undefined>;
  readonly target: (path: string) => TransferTarget | undefined;
  readonly transfers: Pick<Transfers, 'export' | 'rows' | 'runner'>;
}

const lookEvery = 500;

/** Exports of lists for whoever has them made again and again. */
export class ExportOrders {
  constructor(private readonly parts: Parts) {}

  /** Answers once the file waits in the owner's download centre; throws a `Refusal` where there is no such list or its owner may not export it. */
  async fulfil({ tenantId, userId, list, format, query, language, signal }: ExportOrder): Promise<{ rows: number; fileName: string }> {
    const { find, target: targetOf, transfers } = this.parts;
    const target = targetOf(`${list}/export`);
    if (!target) throw new Refusal(problems.notFound);
    const owner = await find(tenantId, userId);
    admit({ call: target.crud.export, writes: false }, owner);
    if (!owner) throw new Refusal(problems.forbidden);
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

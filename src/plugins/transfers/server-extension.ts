import type { Language } from '#shared/text';

/** An export that is not requested on a screen. */
export interface ExportOrder {
  readonly tenantId: string;
  /** Owner, whose permissions apply and whose download centre receives the file. */
  readonly userId: string;
  /** Path of the list without its last segment: `/api/blade-desk/notice`. */
  readonly list: string;
  readonly format: 'csv' | 'xlsx';
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Exports of lists on behalf of other plugins, for example on a schedule. */
export abstract class ListExports {
  /** Runs an export and resolves once the file is in the owner's download centre; throws an `ApiError` if the list does not exist or the owner may not export it. */
  abstract runExport(order: ExportOrder): Promise<{ rows: number; fileName: string }>;
}

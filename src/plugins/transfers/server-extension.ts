import type { Language, LocalizedText } from '#shared/text';
import type { SavedView } from '#shared/views';

/** An export that is not requested on a screen. */
export interface ExportRequest {
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

/** A request for the first rows of a view. */
export interface ListReadRequest extends Pick<ExportRequest, 'tenantId' | 'userId' | 'language' | 'signal'> {
  /** Path of the list call: `/api/blade-desk/notice/list`. */
  readonly list: string;
  readonly view: SavedView;
  /** Number of rows to return. */
  readonly rows: number;
  /** Number of rows above which no CSV is made. */
  readonly csvRows: number;
}

/** The first rows of a view, as texts in the language of the request. */
export interface ListExcerpt {
  /** Title of the page. */
  readonly title: LocalizedText;
  /** Code of the page. */
  readonly menu: string;
  /** Number of rows that the view contains. */
  readonly total: number;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** All rows and columns, if the user may export the list and they are not too many. */
  readonly csv?: string;
}

/** Exports of lists on behalf of other plugins, for example on a schedule. */
export abstract class ListExports {
  /** Runs an export and resolves once the file is in the owner's download centre; throws an `ApiError` if the list does not exist or the owner may not export it. */
  abstract runExport(request: ExportRequest): Promise<{ rows: number; fileName: string }>;
  /** Reads the first rows of a view with the user's current permissions; throws an `ApiError` if the list does not exist or the user may not see it. */
  abstract readList(request: ListReadRequest): Promise<ListExcerpt>;
  /** Returns the title of the page with a list; undefined if no page has it. */
  abstract titleOf(list: string): LocalizedText | undefined;
}

import type { Readable } from 'node:stream';
import { actingAs, DictionaryLabels, Explanations, type Principal, Principals, ReferenceReaders, type ServerContext } from '#server';
import type { Call } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { integerParameter } from '#shared/parameters';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { ImportInput, ImportPreview, TransferRow } from '#shared/transfer-schemas';
import { type ExportRequest, type ListExcerpt, ListExports, type ListReadRequest } from '../server-extension.ts';
import { checkExport, runExport } from './export-run.ts';
import { type HistoryRequest, historyTitle, runHistoryExport } from './history-export.ts';
import { runImport } from './import-run.ts';
import { previewSheet, type SourceFile, withLocalCopy } from './import-source.ts';
import { Leases } from './leases.ts';
import { readList } from './list-reading.ts';
import { TransferRunner } from './runner.ts';
import { type ColumnMapping, formColumns, type TransferTarget } from './sheet-forms.ts';
import { sheetLimits } from './sheets/sheet-reader.ts';
import { templateOf } from './template.ts';
import { type StoredExport, TransferRows } from './transfer-rows.ts';
import { WorkThrottle } from './work-throttle.ts';

type TransfersDeps = Pick<ServerContext, 'db' | 'files' | 'parameters' | 'live' | 'systemLog' | 'get'>;

/** Milliseconds to wait for a short transfer; less than the timeout of browsers. */
export const waitMs = 7000;
const sheetHours = 24;
const pollMs = 500;
const templateName: LocalizedText = ['{title}-导入模板', '{title} - template'];

/** Rows up to which an export is answered directly, key `export.rowsWaitedFor`. */
export const instantExportRows = integerParameter({
  key: 'export.rowsWaitedFor',
  group: ['导出', 'Exports'],
  title: ['即时导出行数', 'Instant export rows'],
  help: ['超过此行数的导出在后台进行', 'Longer exports run in the background'],
  preset: 10_000,
  unit: ['行', 'rows'],
});

/** Returns the export call for personal data without a mask, which requires the permission to see it and a fresh proof of identity. */
const withPersonalData = ({ crud, entity }: TransferTarget): Call => ({ ...crud.export, access: { code: entity.personal?.code ?? '' }, proof: 'fresh' });

/** Exports and imports of every generic screen, for users and for other plugins. */
export class Transfers extends ListExports {
  readonly rows: TransferRows;
  readonly files: ServerContext['files'];
  readonly leases: Leases;
  readonly runner: TransferRunner;
  private readonly targets = new Map<string, TransferTarget>();
  private readonly throttle = new WorkThrottle();
  private readonly dictionaries: DictionaryLabels;
  private readonly references: ReferenceReaders;
  private readonly principals: Principals;

  constructor(private readonly deps: TransfersDeps) {
    super();
    this.rows = new TransferRows(deps.db);
    this.files = deps.files;
    this.leases = new Leases(deps.db, deps.live);
    this.principals = deps.get(Principals);
    this.dictionaries = deps.get(DictionaryLabels);
    this.references = deps.get(ReferenceReaders);
    this.runner = new TransferRunner(deps.db, this.leases, deps.systemLog, async (record, context) => {
      const target = this.targets.get(record.target);
      if (!target) throw new ApiError(problems.unavailable);
      const { tenantId, ownerId, ownerDept } = record;
      // The owner's current permissions apply, since they may have fewer than when they made the request.
      const owner = await this.principals.find(tenantId, ownerId);
      if (!owner) throw new ApiError(problems.forbidden);
      const { dictionaries, references, throttle } = this;
      const runDeps = { ...deps, dictionaries, references, throttle, owner: { ...owner, deptId: ownerDept } };
      if (record.target === target.crud.historyExport?.path)
        return runHistoryExport({ ...runDeps, explanations: deps.get(Explanations) }, target, record, context);
      return (record.kind === 'export' ? runExport : runImport)(runDeps, target, record, context);
    });
  }

  /** Registers a screen for export and import. */
  add(target: TransferTarget): void {
    for (const call of [target.crud.export, target.crud.import, target.crud.historyExport] as (Call | undefined)[])
      if (call) this.targets.set(call.path, target);
  }

  start(): Promise<void> {
    return this.runner.start(() => [...this.targets.keys()]);
  }

  /** Queues an export; a short one is finished when this resolves. */
  async export(target: TransferTarget, principal: Principal, language: Language, request: StoredExport, isAwaited = false): Promise<TransferRow> {
    if (!principal.codes.has(target.crud.menu)) throw new ApiError(problems.forbidden);
    if (request.personal) this.principals.authorize(principal, withPersonalData(target));
    const { db, parameters } = this.deps;
    const total = await db.read({ tenantId: principal.tenantId }, () => checkExport(target, request));
    const id = await this.rows.add(principal, { kind: 'export', target: target.crud.export.path, title: target.title, language, request, total });
    await this.runner.announce();
    if (isAwaited || total <= (await parameters.integer(instantExportRows))) await this.runner.settle(id, waitMs);
    return this.rows.detail(principal, language, id);
  }

  /** Queues an export of a record's history; a short one is finished when this resolves. */
  async exportHistory(target: TransferTarget, principal: Principal, language: Language, request: HistoryRequest): Promise<TransferRow> {
    const { tenantId } = principal;
    await this.deps.db.read({ tenantId }, () => target.repository.history({ id: request.id, size: 1 }));
    const path = target.crud.historyExport?.path ?? '';
    const id = await this.rows.add(principal, { kind: 'export', target: path, title: historyTitle(target), language, request });
    await this.runner.announce();
    await this.runner.settle(id, waitMs);
    return this.rows.detail(principal, language, id);
  }

  override async runExport({ tenantId, userId, list, format, query, language, signal }: ExportRequest): Promise<{ rows: number; fileName: string }> {
    const target = this.targets.get(`${list}/export`);
    if (!target) throw new ApiError(problems.notFound);
    const owner = this.principals.authorize(await this.principals.find(tenantId, userId), target.crud.export);
    const request = { format, ...(query ? { query } : {}) };
    let row = await actingAs(owner, () => this.export(target, owner, language, request, true));
    while (row.state === 'queued' || row.state === 'running') {
      if (signal.aborted) {
        await this.runner.cancel(row.id);
        await this.rows.cancel(owner, row.id);
        signal.throwIfAborted();
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      row = await this.rows.detail(owner, language, row.id);
    }
    if (row.state !== 'done') throw new Error(row.message || row.state);
    return { rows: row.progress, fileName: row.fileName ?? '' };
  }

  override async readList(request: ListReadRequest): Promise<ListExcerpt> {
    const target = this.targetOf(request.list);
    if (!target) throw new ApiError(problems.notFound);
    const owner = this.principals.authorize(await this.principals.find(request.tenantId, request.userId), target.crud.list);
    const { dictionaries, references, throttle } = this;
    return readList({ db: this.deps.db, dictionaries, references, throttle, owner }, target, request);
  }

  override titleOf(list: string): LocalizedText | undefined {
    return this.targetOf(list)?.title;
  }

  private targetOf(list: string): TransferTarget | undefined {
    const target = this.targets.get(list.replace(/\/list$/, '/export'));
    return target?.crud.list.path === list ? target : undefined;
  }

  /** Creates a sheet to fill in, and returns its link. */
  async template(target: TransferTarget, principal: Principal, language: Language): Promise<{ link: string }> {
    return { link: this.deps.files.linkTo(await this.templateFile(target, principal, language)) };
  }

  async templateFile(target: TransferTarget, principal: Principal, language: Language): Promise<SourceFile> {
    const columns = await this.columnsOf(target, principal, language);
    const name = `${localize(templateName, language, { title: localize(target.title, language) })}.xlsx`;
    return this.storeSheet(name, await templateOf(columns, language), principal, 1);
  }

  /** Stores a sheet for a day and previews how it will be read. */
  async preview(target: TransferTarget, principal: Principal, language: Language, upload: { name: string; content: Readable }): Promise<ImportPreview> {
    const file = await this.storeSheet(upload.name, upload.content, principal, sheetHours);
    try {
      return await this.previewStored(target, principal, language, { fileId: file.id, mapping: undefined });
    } catch (error) {
      await this.deps.files.remove(principal.tenantId, [file.id]);
      throw error;
    }
  }

  /** Previews how a stored sheet will be read. */
  async previewStored(
    target: TransferTarget,
    principal: Principal,
    language: Language,
    { fileId, mapping }: { fileId: string; mapping: ColumnMapping | undefined },
  ): Promise<ImportPreview> {
    const columns = await this.columnsOf(target, principal, language);
    const file = await this.sheetOf(principal, fileId);
    return withLocalCopy(this.deps.files, file, (path) =>
      previewSheet(path, { columns, rules: target.entity.rules, mapping, references: this.references.of(principal, language), language, fileId }),
    );
  }

  /** Queues an import; a short one is finished when this resolves. */
  async import(target: TransferTarget, principal: Principal, language: Language, request: ImportInput, timeoutMs = 1000): Promise<TransferRow> {
    if (!principal.codes.has(`${target.crud.menu}_add`)) throw new ApiError(problems.forbidden);
    await this.sheetOf(principal, request.fileId);
    const id = await this.rows.add(principal, { kind: 'import', target: target.crud.import.path, title: target.title, language, request });
    await this.runner.announce();
    await this.runner.settle(id, timeoutMs);
    return this.rows.detail(principal, language, id);
  }

  private storeSheet(name: string, content: Readable, { tenantId, userId }: Principal, hours: number) {
    return this.deps.files.save(name, content, { tenantId, userId, purpose: 'transfer', hours, limit: sheetLimits.bytes });
  }

  private async sheetOf({ tenantId, userId }: Principal, id: string) {
    const file = await this.deps.files.find(tenantId, id);
    if (!file || file.ownerId !== userId || file.purpose !== 'transfer') throw new ApiError(problems.notFound);
    return file;
  }

  private async columnsOf(target: TransferTarget, { tenantId }: Principal, language: Language) {
    return formColumns(target, language, await this.dictionaries.of(tenantId, Object.values(target.crud.submit.input.properties)));
  }
}

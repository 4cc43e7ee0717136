import { sql } from 'drizzle-orm';
import { merge } from 'node-diff3';
import { ZipFile } from 'yazl';
import { ApiError, crudRoutes, type PluginRoute, queryRows, type Repository, repositoryOf, route, type ServerContext } from '#server';
import {
  addressPatterns,
  type CodeFile,
  type CodeRow,
  code,
  codeProblems,
  conflictLabels,
  conflictMarkers,
  frontEnds,
  GeneratedCode,
  type System,
  systems,
} from '../contract.ts';
import { emit } from './emit/emit.ts';
import type { EmittedFile } from './emit/plan.ts';
import type { Models } from './models.ts';
import { humanize } from './names.ts';
import { nextMigration } from './next-migration.ts';
import { openApi } from './openapi.ts';
import { isReservedTable, Plans } from './plans.ts';
import type { Sources } from './sources.ts';

/** Input of a three-way merge of one generated file. */
interface MergeInput {
  readonly path: string;
  /** Content that the previous generation wrote, if known. */
  readonly base: string | undefined;
  /** Content on disk, which may have manual edits; undefined if the file does not exist. */
  readonly mine: string | undefined;
  /** Content that the generator produces now. */
  readonly theirs: string;
}

const lineBreak = /\n/;

/** Merges manual edits with newly generated code. Lines that both have changed become a conflict with Git markers or, with `keepMine`, keep the manual edit. */
function mergeFile({ path, base, mine, theirs }: MergeInput, keepMine = false): CodeFile {
  const toFile = (state: CodeFile['state'], text: string): CodeFile => ({ path, state, current: mine ?? null, text });
  if (mine === undefined) return toFile('new', theirs);
  if (mine === theirs) return toFile('same', mine);
  if (base === undefined) return mergeWithoutBase(toFile, { mine, theirs, keepMine });
  if (base === mine) return toFile('changed', theirs);
  if (base === theirs) return toFile('same', mine);
  const { conflict, result } = merge(mine, base, theirs, { stringSeparator: lineBreak, excludeFalseConflicts: true, label: conflictLabels });
  const text = result.join('\n');
  if (!conflict) return toFile('merged', text);
  return keepMine ? toFile('merged', resolveWithMine(result).join('\n')) : toFile('conflict', text);
}

/** Handles a file without a known base. Its whole content counts as a manual edit: a conflict, or unchanged with `keepMine`. */
function mergeWithoutBase(
  toFile: (state: CodeFile['state'], text: string) => CodeFile,
  { mine, theirs, keepMine }: { mine: string; theirs: string; keepMine: boolean },
): CodeFile {
  return keepMine
    ? toFile('same', mine)
    : toFile('conflict', [conflictMarkers.mine, withoutLastBreak(mine), conflictMarkers.theirs, withoutLastBreak(theirs), conflictMarkers.end, ''].join('\n'));
}

const withoutLastBreak = (text: string) => text.replace(/\n$/, '');

/** Resolves each conflict with the manual edit and removes the markers. */
function resolveWithMine(lines: readonly string[]): string[] {
  let side: 'both' | 'mine' | 'theirs' = 'both';
  return lines.filter((line) => {
    if (line.startsWith(conflictMarkers.mine)) side = 'mine';
    else if (side === 'mine' && line.startsWith(conflictMarkers.theirs)) side = 'theirs';
    else if (side === 'theirs' && line.startsWith(conflictMarkers.end)) side = 'both';
    else return side !== 'theirs';
    return false;
  });
}

interface GenerateOptions {
  readonly keepMine: boolean;
  /** Tells whether the request includes a file. */
  readonly isWanted: (path: string) => boolean;
}

const addressProblems = { apiPath: codeProblems.apiPath, webPath: codeProblems.webPath } as const;

/** Serves generated plugins: preview, download, and writing to the sources with a merge of manual edits. */
export class Codes {
  private readonly rows: Repository<typeof GeneratedCode>;
  private readonly plans: Plans;

  constructor(
    private readonly context: ServerContext,
    private readonly models: Models,
    private readonly sources: Sources | undefined,
  ) {
    const { db } = context;
    this.rows = repositoryOf(db, GeneratedCode, {
      unique: [{ fields: ['serviceName'] }, { fields: ['tableName'] }],
      complete: ({ englishName, tableName }, { before }) => (before || englishName ? {} : { englishName: humanize(tableName) }),
      beforeSave: async ({ modelId, subModelId, ...form }) => {
        for (const field of ['apiPath', 'webPath'] as const) {
          const address = form[field];
          if (address !== undefined && !new RegExp(addressPatterns[field]).test(address)) throw new ApiError(addressProblems[field], {}, { field });
        }
        for (const id of [modelId, subModelId]) if (id) await models.rows.detail(id);
      },
    });
    this.plans = new Plans(db, models);
  }

  routes(): PluginRoute[] {
    return [
      crudRoutes(code, this.rows, { search: { fields: ['codeName', 'englishName', 'serviceName'], subtitle: ['serviceName'], actions: { code_edit: true } } }),
      route(code.copy, async ({ input }) => this.copy(await this.rows.detail(input.id))),
      route(code.createFromModels, async ({ input }) => ({ added: await this.createFromModels(input.ids) })),
      route(code.preview, async ({ input }) => ({
        canWrite: this.sources !== undefined,
        files: input.id ? await this.compare(await this.rows.detail(input.id), false) : [],
      })),
      route(code.zip, async ({ input }) => this.archive(await this.readRows(input.ids), pathFilter())),
      route(code.genCode, async ({ input: { ids, system, keepMine = false } }) => {
        const isWanted = pathFilter(system);
        const rows = await this.readRows(ids);
        if (!this.sources) return { written: [], download: await this.archive(rows, isWanted) };
        return { written: await this.write(this.sources, rows, { keepMine, isWanted }), download: null };
      }),
    ];
  }

  private async archive(rows: readonly CodeRow[], isWanted: GenerateOptions['isWanted']): Promise<{ name: string; content: string }> {
    const files: EmittedFile[] = [];
    for (const row of rows) files.push(...(await this.archiveFiles(row)).filter(({ path }) => isWanted(path)));
    const name = `${rows.length === 1 ? rows[0]?.serviceName : 'plugins'}.zip`;
    return { name, content: (await archiveOf(files)).toString('base64') };
  }

  private async readRows(ids: readonly string[]): Promise<CodeRow[]> {
    const rows: CodeRow[] = [];
    for (const id of new Set(ids)) rows.push(await this.rows.detail(id));
    return rows;
  }

  /** Emits the files of the plugin; migrations that were written before stay unchanged. */
  private async emitFiles(row: CodeRow): Promise<{ files: EmittedFile[]; before: readonly EmittedFile[] }> {
    const before = await queryRows<EmittedFile>(this.context.db, sql`select path, content as text from code_output where code_id = ${row.id}::bigint`);
    return { files: nextMigration(emit(await this.plans.of(row)), before), before };
  }

  private async archiveFiles(row: CodeRow): Promise<EmittedFile[]> {
    const { files } = await this.emitFiles(row);
    return [...files, ...(await this.descriptionFiles(row, files))];
  }

  /** Returns files for other tools: the calls as OpenAPI, and the tables as one SQL script. */
  private async descriptionFiles({ serviceName, ...row }: CodeRow, files: readonly EmittedFile[]): Promise<EmittedFile[]> {
    const tables = files.filter(({ path }) => path.endsWith('.sql')).map(({ text }) => text);
    return [
      { path: `openapi/${serviceName}.json`, text: openApi(await this.plans.of({ serviceName, ...row })) },
      { path: `sql/${serviceName}.sql`, text: tables.join('\n') },
    ];
  }

  /** Compares the files of a plugin with the current sources. */
  private async compare(row: CodeRow, keepMine: boolean): Promise<CodeFile[]> {
    const { files, before } = await this.emitFiles(row);
    const base = new Map(before.map(({ path, text }) => [path, text]));
    const compared = files.map(async ({ path, text }) =>
      mergeFile({ path, base: base.get(path), mine: await this.sources?.read(path), theirs: text }, keepMine),
    );
    const described = (await this.descriptionFiles(row, files)).map(async ({ path, text }): Promise<CodeFile> => {
      // Descriptions are generated from the model alone and are not merged.
      const current = (await this.sources?.read(path)) ?? null;
      return { path, state: current === text ? 'same' : current === null ? 'new' : 'changed', current, text };
    });
    return Promise.all([...compared, ...described]);
  }

  private async write(sources: Sources, rows: readonly CodeRow[], { keepMine, isWanted }: GenerateOptions): Promise<string[]> {
    const planned: { row: CodeRow; files: CodeFile[] }[] = [];
    for (const row of rows) planned.push({ row, files: (await this.compare(row, keepMine)).filter(({ path }) => isWanted(path)) });
    const conflicts = planned.flatMap(({ files }) => files.filter(({ state }) => state === 'conflict').map(({ path }) => path));
    if (conflicts.length > 0) throw new ApiError(codeProblems.conflicts, { count: conflicts.length, files: conflicts.slice(0, 5).join(', ') });
    const written: string[] = [];
    for (const { row, files } of planned) {
      for (const { path, state, text } of files) {
        if (state === 'same') continue;
        await sources.write({ path, text });
        written.push(path);
      }
      if (files.some(({ path }) => path.startsWith('src/'))) await sources.registerPlugin(row.serviceName);
      await this.storeOutput(row, isWanted);
    }
    return written;
  }

  /** Stores the generated files, not the merged ones, as the base of the next merge. */
  private async storeOutput(row: CodeRow, isWanted: GenerateOptions['isWanted']): Promise<void> {
    const { db } = this.context;
    const { files, before } = await this.emitFiles(row);
    for (const { path } of before) if (isWanted(path)) await queryRows(db, sql`delete from code_output where code_id = ${row.id}::bigint and path = ${path}`);
    for (const { path, text } of files.filter((file) => isWanted(file.path)))
      await queryRows(db, sql`insert into code_output (code_id, path, content) values (${row.id}::bigint, ${path}, ${text})`);
  }

  private copy({ id: _, ...row }: CodeRow): Promise<CodeRow> {
    const { codeName, serviceName, tableName, apiPath, webPath } = row;
    const names = {
      codeName: `${codeName.slice(0, 58)}-copy`,
      serviceName: `${serviceName.slice(0, 34).replace(/-$/, '')}-copy`,
      tableName: `${tableName.slice(0, 45)}_copy`,
      apiPath: `${apiPath.slice(0, 94)}-copy`,
      webPath: `${webPath.slice(0, 94)}-copy`,
    };
    const { id: __, ...form } = Object.fromEntries(Object.keys(GeneratedCode.form.properties).map((name) => [name, row[name as keyof typeof row]]));
    return this.rows.save({ ...form, ...names } as Parameters<typeof this.rows.save>[0]);
  }

  private async createFromModels(modelIds: readonly string[]): Promise<number> {
    const rows = await this.rows.list();
    const existingModelIds = new Set(rows.map(({ modelId }) => modelId));
    const plugins = await queryRows<{ id: string }>(this.context.db, sql`select distinct plugin_id as id from seeded_menu`);
    const names = new Set([...rows.map(({ serviceName }) => serviceName), ...plugins.map(({ id }) => id)]);
    const tables = new Set(rows.map(({ tableName }) => tableName));
    let added = 0;
    for (const modelId of new Set(modelIds)) {
      if (existingModelIds.has(modelId)) continue;
      const model = await this.models.rows.detail(modelId);
      const base = model.modelCode
        .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        .slice(0, 36)
        .replace(/-+$/, '');
      let serviceName = base;
      for (let count = 2; names.has(serviceName); count += 1) serviceName = `${base}-${count}`;
      names.add(serviceName);
      const tableName = await this.unusedTable(serviceName.replaceAll('-', '_'), tables);
      tables.add(tableName);
      const { modelName: codeName, modelTable } = model;
      const screen = { templateType: 'crud', menuGroup: 'base', apiPath: `/api/generated/${serviceName}`, webPath: `/base/${serviceName}` } as const;
      await this.rows.save({ codeName, englishName: humanize(modelTable), modelId, serviceName, tableName, ...screen });
      added += 1;
    }
    return added;
  }

  /** Returns an unused table name, if possible this one; it is also the code of the page's menu entry. */
  private async unusedTable(name: string, usedTables: ReadonlySet<string>): Promise<string> {
    for (let count = 0; ; count += 1) {
      const candidate = count === 0 ? name : `${name}_row${count === 1 ? '' : `_${count}`}`;
      const [existing] = await queryRows<{ isUsed: boolean }>(
        this.context.db,
        sql`select to_regclass(quote_ident(${candidate})) is not null or exists (select from menu where code = ${candidate} and is_deleted = 0) as "isUsed"`,
      );
      if (!existing?.isUsed && !usedTables.has(candidate) && !isReservedTable(candidate)) return candidate;
    }
  }
}

const pluginFolder = '^src/plugins/[^/]+/';
/** Patterns of the paths of the files that belong to each part of a plugin. */
const pathPatterns: Readonly<Record<System, RegExp>> = {
  all: /^/,
  server: new RegExp(`${pluginFolder}((contract|menus)\\.ts$|server/)|^tests/`),
  console: new RegExp(`${pluginFolder}((contract|menus)\\.ts$|console/)`),
  openapi: /^openapi\//,
  sql: /^sql\//,
};

/** Returns a filter for the files of `system`; throws for unknown values with the list of valid ones. */
function pathFilter(system = ''): (path: string) => boolean {
  const name = system === '' || (frontEnds as readonly string[]).includes(system) ? 'all' : system;
  if (!Object.hasOwn(pathPatterns, name)) {
    const values = [...Object.keys(systems), ...frontEnds].join(', ');
    throw new ApiError(codeProblems.unknownSystem, { values }, { field: 'system' });
  }
  return (path) => pathPatterns[name as System].test(path);
}

/** Packs files into an archive; paths are relative, and equal files yield equal bytes. */
async function archiveOf(files: readonly EmittedFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, text } of files) zip.addBuffer(Buffer.from(text), path, { mtime: new Date(2026, 0, 1) });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

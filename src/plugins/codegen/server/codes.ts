import { sql } from 'drizzle-orm';
import { Refusal, type Repository, repositoryOf, rowsOf, type ServerContext } from '#server';
import { type CodeFile, type CodeRow, code, codeProblems, GeneratedCode } from '../contract.ts';
import { archiveOf } from './archive.ts';
import { emit } from './emit/emit.ts';
import type { EmittedFile } from './emit/plan.ts';
import { merged } from './merge.ts';
import type { Models } from './models.ts';
import { humanised } from './names.ts';
import { nextMigration } from './next-migration.ts';
import { openApi } from './openapi.ts';
import { isTakenTable, Plans } from './plans.ts';
import type { Sources } from './sources.ts';

/** Plugins to be written from models: looked at, downloaded, written into the sources and merged with what was made of them. */
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
      beforeSave: async ({ modelId, subModelId }) => {
        for (const id of [modelId, subModelId]) if (id) await models.rows.detail(id);
      },
    });
    this.plans = new Plans(db, models);
  }

  serve(): void {
    const { serve, serveCrud } = this.context;
    serveCrud(code, this.rows);
    serve(code.copy, async ({ input }) => this.copy(await this.rows.detail(input.id)));
    serve(code.adopt, async ({ input }) => ({ added: await this.adopt(input.ids) }));
    serve(code.preview, async ({ input }) => ({
      canWrite: this.sources !== undefined,
      files: input.id ? await this.beside(await this.rows.detail(input.id), false) : [],
    }));
    serve(code.zip, async ({ input }) => {
      const rows = await this.each(input.ids);
      const files: EmittedFile[] = [];
      for (const row of rows) files.push(...(await this.outputs(row)));
      const name = `${rows.length === 1 ? rows[0]?.serviceName : 'plugins'}.zip`;
      return { name, content: (await archiveOf(files)).toString('base64') };
    });
    serve(code.genCode, async ({ input }) => ({ written: await this.write(await this.each(input.ids), input.keepMine ?? false) }));
  }

  private async each(ids: readonly string[]): Promise<CodeRow[]> {
    const rows: CodeRow[] = [];
    for (const id of new Set(ids)) rows.push(await this.rows.detail(id));
    return rows;
  }

  /** What the plugin consists of now; migrations that were written before stay as they are. */
  private async emitted(row: CodeRow): Promise<{ files: EmittedFile[]; before: readonly EmittedFile[] }> {
    const before = await rowsOf<EmittedFile>(this.context.db, sql`select path, content as text from code_output where code_id = ${row.id}::bigint`);
    return { files: nextMigration(emit(await this.plans.of(row)), before), before };
  }

  private async outputs(row: CodeRow): Promise<EmittedFile[]> {
    const { files } = await this.emitted(row);
    return [...files, ...(await this.descriptions(row, files))];
  }

  /** What goes beside the plugin for whoever reads no code: its calls, and its tables as one script. */
  private async descriptions({ serviceName, ...row }: CodeRow, files: readonly EmittedFile[]): Promise<EmittedFile[]> {
    const tables = files.filter(({ path }) => path.endsWith('.sql')).map(({ text }) => text);
    return [
      { path: `openapi/${serviceName}.json`, text: openApi(await this.plans.of({ serviceName, ...row })) },
      { path: `sql/${serviceName}.sql`, text: tables.join('\n') },
    ];
  }

  private async beside(row: CodeRow, keepMine: boolean): Promise<CodeFile[]> {
    const { files, before } = await this.emitted(row);
    const base = new Map(before.map(({ path, text }) => [path, text]));
    const sides = files.map(async ({ path, text }) => merged({ path, base: base.get(path), mine: await this.sources?.read(path), theirs: text }, keepMine));
    const described = (await this.descriptions(row, files)).map(async ({ path, text }): Promise<CodeFile> => {
      // Nobody edits what is told by the model alone.
      const current = (await this.sources?.read(path)) ?? null;
      return { path, state: current === text ? 'same' : current === null ? 'new' : 'changed', current, text };
    });
    return Promise.all([...sides, ...described]);
  }

  private async write(rows: readonly CodeRow[], keepMine: boolean): Promise<string[]> {
    const { sources } = this;
    if (!sources) throw new Refusal(codeProblems.onlyDevelopment);
    const planned: { row: CodeRow; files: CodeFile[] }[] = [];
    for (const row of rows) planned.push({ row, files: await this.beside(row, keepMine) });
    const conflicts = planned.flatMap(({ files }) => files.filter(({ state }) => state === 'conflict').map(({ path }) => path));
    if (conflicts.length > 0) throw new Refusal(codeProblems.conflicts, { count: conflicts.length, files: conflicts.slice(0, 5).join(', ') });
    const written: string[] = [];
    for (const { row, files } of planned) {
      for (const { path, state, text } of files) {
        if (state === 'same') continue;
        await sources.write({ path, text });
        written.push(path);
      }
      await sources.enlist(row.serviceName);
      await this.remember(row);
    }
    return written;
  }

  /** What was generated, not what was made of it: the base of the next merge. */
  private async remember(row: CodeRow): Promise<void> {
    const { db } = this.context;
    const { files } = await this.emitted(row);
    await rowsOf(db, sql`delete from code_output where code_id = ${row.id}::bigint`);
    for (const { path, text } of files) await rowsOf(db, sql`insert into code_output (code_id, path, content) values (${row.id}::bigint, ${path}, ${text})`);
  }

  private copy({ id: _, ...row }: CodeRow): Promise<CodeRow> {
    const { codeName, serviceName, tableName, apiPath, webPath } = row;
    const named = {
      codeName: `${codeName.slice(0, 58)}-copy`,
      serviceName: `${serviceName.slice(0, 34).replace(/-$/, '')}-copy`,
      tableName: `${tableName.slice(0, 45)}_copy`,
      apiPath: `${apiPath.slice(0, 94)}-copy`,
      webPath: `${webPath.slice(0, 94)}-copy`,
    };
    const form = Object.fromEntries(Object.keys(GeneratedCode.form.properties).map((name) => [name, row[name as keyof typeof row]]));
    const { id: __, ...plain } = form;
    return this.rows.save({ ...plain, ...named } as Parameters<typeof this.rows.save>[0]);
  }

  private async adopt(modelIds: readonly string[]): Promise<number> {
    const rows = await this.rows.list();
    const known = new Set(rows.map(({ modelId }) => modelId));
    const others = await rowsOf<{ id: string }>(this.context.db, sql`select distinct plugin_id as id from seeded_menu`);
    const names = new Set([...rows.map(({ serviceName }) => serviceName), ...others.map(({ id }) => id)]);
    let added = 0;
    for (const modelId of new Set(modelIds)) {
      if (known.has(modelId)) continue;
      const model = await this.models.rows.detail(modelId);
      const words = model.modelCode
        .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        .slice(0, 36)
        .replace(/-+$/, '');
      let serviceName = words;
      for (let count = 2; names.has(serviceName); count += 1) serviceName = `${words}-${count}`;
      names.add(serviceName);
      const tableName = await this.freeTable(serviceName.replaceAll('-', '_'));
      const { modelName: codeName, modelTable } = model;
      const addresses = { apiPath: `/api/generated/${serviceName}`, webPath: `/base/${serviceName}` };
      await this.rows.save({
        codeName,
        englishName: humanised(modelTable),
        modelId,
        serviceName,
        tableName,
        templateType: 'crud',
        menuGroup: 'base',
        ...addresses,
      });
      added += 1;
    }
    return added;
  }

  /** A table that is not there yet, called as the model is where that is possible; it names the page in the menu too. */
  private async freeTable(name: string): Promise<string> {
    const { db } = this.context;
    const [taken] = await rowsOf<{ there: boolean }>(
      db,
      sql`select to_regclass(quote_ident(${name})) is not null or exists (select from menu where code = ${name} and is_deleted = 0) as there`,
    );
    return taken?.there || isTakenTable(name) ? `${name}_row` : name;
  }
}

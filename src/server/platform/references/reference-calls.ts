import { ApiError } from '#shared/errors';
import { lookupInput, type ReferenceSource, traitsOf } from '#shared/fields';
import { archivedName } from '#shared/row-states';
import { type Language, localize } from '#shared/text';
import { actingAs } from '../../data/context/actor.ts';
import type { Database } from '../../data/database/database.ts';
import { isId } from '../../data/database/rows.ts';
import { authorize } from '../http/authorize-call.ts';
import { type KernelRequest, type Route, routePaths } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { readArchivedNames } from './archived-names.ts';

/** A row that can be referenced: the stored value and its title. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

type ReferenceParams = Readonly<Record<string, string | number>>;
type ReplyRow = Readonly<Record<string, unknown>> & { readonly children?: readonly ReplyRow[]; readonly hasChildren?: boolean };

const pageSize = 200;
const maxPages = 50;
const maxTreeNodes = 5000;
const origin = { address: '', host: '', userAgent: '', requestId: '', header: () => '' };

/** Runs the calls behind references on behalf of a user; calls the user may not make return nothing. */
export class ReferenceCalls {
  constructor(
    private readonly db: Database,
    private readonly routes: readonly Route[],
    private readonly principal: Principal,
    private readonly language: Language,
  ) {}

  /** True if rows are looked up one by one instead of all at once. */
  isSearched({ path, paged, title, search }: ReferenceSource): boolean {
    return paged === true && (search !== undefined || this.isFilterable(path, title));
  }

  /** Lists all choices; undefined if the user may not make the call. */
  async all(source: ReferenceSource, params: ReferenceParams): Promise<Choice[] | undefined> {
    if (source.shape === 'lazy-tree') return this.branches(source, params);
    const rows = source.paged ? await this.pages(source, params) : this.rowsIn(await this.call(source.path, { ...source.input, ...params }));
    return rows && choicesOf(source, rows);
  }

  /** Finds the choices with exactly this title. */
  async withTitle(source: ReferenceSource, params: ReferenceParams, title: string): Promise<Choice[] | undefined> {
    const filter = this.isFilterable(source.path, source.title) ? { [`${source.title}_equal`]: title } : { [source.search ?? '']: title };
    const rows = await this.pages(source, { ...params, ...filter });
    return rows && choicesOf(source, rows).filter((choice) => choice.title === title);
  }

  /** True if the call takes a list of values and answers only their rows, including rows that it no longer offers. */
  hasLookup(source: ReferenceSource): boolean {
    return lookupOf(source) !== undefined;
  }

  /** Finds the choice with this value: by a look-up or a filter, or else by the detail call beside the list; `unknown` if none of them may be made. */
  async withValue(source: ReferenceSource, params: ReferenceParams, value: string): Promise<Choice | undefined | 'unknown'> {
    const choice = await this.offeredValue(source, params, value);
    return typeof choice === 'object' ? choice : ((await this.archived(source, [value]))[0] ?? choice);
  }

  private async offeredValue(source: ReferenceSource, params: ReferenceParams, value: string): Promise<Choice | undefined | 'unknown'> {
    if (isLookupValue(source, value)) {
      const choices = await this.withLookup(source, [value]);
      return choices ? choices.find((choice) => choice.value === value) : 'unknown';
    }
    if (this.isFilterable(source.path, source.value)) {
      const rows = await this.pages(source, { ...params, [`${source.value}_equal`]: value });
      return rows ? choicesOf(source, rows)[0] : 'unknown';
    }
    const detail = source.path.replace(/\/list$/, '/detail');
    const row = source.value === 'id' && detail !== source.path ? ((await this.call(detail, { id: value })) as ReplyRow | null | undefined) : undefined;
    return row === undefined ? 'unknown' : row === null ? undefined : choicesOf(source, [row])[0];
  }

  /** Finds the choices with these values in few calls; undefined if only single look-ups are possible. */
  async withValues(source: ReferenceSource, values: readonly string[]): Promise<Choice[] | undefined> {
    const { paged, shape, inputFrom } = source;
    const isAnsweredInFull = !(paged || inputFrom || shape === 'lazy-tree');
    const choices = this.hasLookup(source)
      ? ((await this.withLookup(source, values)) ?? [])
      : isAnsweredInFull
        ? await this.all({ ...source, input: lookupInput(source) }, {})
        : undefined;
    const offered = new Set(choices?.map(({ value }) => value));
    return (
      choices && [
        ...choices,
        ...(await this.archived(
          source,
          values.filter((value) => !offered.has(value)),
        )),
      ]
    );
  }

  /** Finds the archived rows with these values, which no picker offers. */
  async archived({ entity, entityField = 'id', title }: ReferenceSource, values: readonly string[]): Promise<Choice[]> {
    if (entity === undefined || values.length === 0) return [];
    const { principal, language } = this;
    const read = () => readArchivedNames(this.db, { entity, field: entityField, title, language }, values);
    const rows = await actingAs(principal, () => this.db.read({ tenantId: principal.tenantId }, read));
    return rows.map((row) => ({ value: row.value, title: localize(archivedName, language, { name: row.title }) }));
  }

  /** Makes the look-up of these values; undefined if the user may not make it. */
  private async withLookup(source: ReferenceSource, values: readonly string[]): Promise<Choice[] | undefined> {
    const choices: Choice[] = [];
    const valid = values.filter((value) => isLookupValue(source, value));
    for (let from = 0; from < valid.length; from += pageSize) {
      const some = valid.slice(from, from + pageSize);
      const page = source.paged ? { current: 1, size: pageSize } : {};
      const rows = this.rowsIn(await this.call(source.path, { ...lookupInput(source), ...page, [lookupOf(source) ?? '']: some.join(',') }));
      if (!rows) return undefined;
      choices.push(...choicesOf(source, rows));
    }
    return choices;
  }

  private async pages(source: ReferenceSource, params: ReferenceParams): Promise<ReplyRow[] | undefined> {
    const rows: ReplyRow[] = [];
    for (let current = 1; current <= maxPages; current += 1) {
      const some = this.rowsIn(await this.call(source.path, { ...source.input, ...params, current, size: pageSize }));
      if (!some) return undefined;
      rows.push(...some);
      if (some.length < pageSize) break;
    }
    return rows;
  }

  private async branches(source: ReferenceSource, params: ReferenceParams): Promise<Choice[] | undefined> {
    const { branch = 'parentId', path, input } = source;
    const top = this.rowsIn(await this.call(path, { ...input, ...params }));
    if (!top) return undefined;
    const found = [...top];
    // The list grows during iteration.
    for (const row of found) {
      if (row.hasChildren === false || row.children || found.length > maxTreeNodes) continue;
      found.push(...(this.rowsIn(await this.call(path, { ...input, ...params, [branch]: String(row[source.value]) })) ?? []));
    }
    return choicesOf(source, found);
  }

  private rowsIn(answer: unknown): ReplyRow[] | undefined {
    const rows = Array.isArray(answer) ? answer : (answer as { records?: unknown } | undefined)?.records;
    return Array.isArray(rows) ? (rows as ReplyRow[]) : undefined;
  }

  /** Makes a call; undefined if the user may not make it, null if the row does not exist. */
  private async call(path: string, input: ReferenceParams): Promise<unknown> {
    const route = this.route(path);
    if (!route) return undefined;
    const { principal, language } = this;
    const request: KernelRequest = { input, principal, language, origin, setCookie: () => undefined };
    try {
      authorize(route, principal);
      const answer = () => actingAs(principal, async () => route.handler(request) as unknown);
      return await (route.manualTransactions ? answer() : this.db.read({ tenantId: principal.tenantId }, answer));
    } catch (error) {
      if (error instanceof ApiError) return error.problem.status === 404 ? null : undefined;
      throw error;
    }
  }

  private route(path: string): Route | undefined {
    return this.routes.find((route) => route.call.method === 'GET' && routePaths(route).includes(path));
  }

  private isFilterable(path: string, field: string): boolean {
    const schema = this.route(path)?.call.filterable?.fields[field];
    return schema !== undefined && traitsOf(schema)?.search === true;
  }
}

/** Returns the parameter for several values, as the console determines it. */
const lookupOf = ({ lookup, paged, value }: ReferenceSource) => lookup ?? (paged && value === 'id' ? 'ids' : undefined);

/** Tests whether a look-up accepts this value: an id where it takes ids, otherwise a code. */
const isLookupValue = (source: ReferenceSource, value: string) => {
  const lookup = lookupOf(source);
  return lookup === 'ids' ? isId(value) : lookup !== undefined && /^[\w-]+$/.test(value);
};

function choicesOf(source: ReferenceSource, rows: readonly ReplyRow[]): Choice[] {
  return rows.flatMap((row) => [{ value: String(row[source.value]), title: String(row[source.title] ?? '') }, ...choicesOf(source, row.children ?? [])]);
}

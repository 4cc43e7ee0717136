import { and, asc, eq, inArray, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import { type Database, Refusal, type Repository, repositoryOf, rowsOf } from '#server';
import type { ListInput, Page } from '#shared/contract';
import { fieldProblem } from '#shared/validation';
import { type Branch, Dict, type DictNode, type DictRow, type DictSubmit, dictProblems } from '../contract.ts';
import { treeBelow } from './tree.ts';

const root = '0';
const headKey = '-1';
/** What the family's clients send as `code` when they want every dictionary. */
const everyCode = 'DICT';

/** Dictionaries and their entries. An entry carries its dictionary's code, and a key occurs once within a dictionary. */
export class Dictionaries {
  private readonly dicts: Repository<typeof Dict>;

  constructor(private readonly db: Database) {
    this.dicts = repositoryOf(db, Dict);
  }

  page(input: ListInput): Promise<Page<DictRow>> {
    const isUnsorted = !input.ascs && !input.descs;
    return this.dicts.page(isUnsorted ? { ...input, ascs: 'sort' } : input, this.isHead());
  }

  heads(): Promise<DictRow[]> {
    return this.sorted(this.isHead());
  }

  async tree(): Promise<Branch<DictRow>[]> {
    return treeBelow(root, await this.sorted());
  }

  /** What stands below a dictionary or an entry; nothing below what is not there. */
  async below(parentId: string | null | undefined): Promise<Branch<DictRow>[]> {
    const parent = parentId ? await this.dicts.find({ id: parentId }) : undefined;
    return parent ? treeBelow(parent.id, await this.sorted(eq(this.dicts.table.code, parent.code))) : [];
  }

  /** Every dictionary as nodes to pick from, or the one with this code. */
  async nodes(code: string | undefined): Promise<Branch<DictNode>[]> {
    const rows = await this.sorted(code && code !== everyCode ? eq(this.dicts.table.code, code) : undefined);
    return treeBelow(
      root,
      rows.map(({ id, parentId, dictValue }) => ({ id, parentId, title: dictValue, value: id, key: id })),
    );
  }

  /** The entries of a dictionary that may still be chosen. */
  values(code: string): Promise<DictRow[]> {
    const { table } = this.dicts;
    return this.sorted(and(eq(table.code, code), ne(table.parentId, root), eq(table.isSealed, 0)));
  }

  detail(id: string): Promise<DictRow> {
    return this.dicts.detail(id);
  }

  /** Adds a row or changes one, wherever in the tree it then stands. */
  async save(form: DictSubmit): Promise<DictRow> {
    await this.takeTurn();
    const before = form.id ? await this.dicts.detail(form.id) : undefined;
    const parentId = form.parentId ?? before?.parentId ?? root;
    if (parentId !== root) {
      const { code } = await this.parentOf(parentId, before?.id);
      return this.write({ ...form, parentId, code, dictKey: entered('dictKey', form.dictKey ?? before?.dictKey) }, before);
    }
    // A form with a key and without a code is an entry's: it has nowhere to stand at the top.
    if (form.dictKey && !form.code) entered('parentId', undefined);
    return this.write({ ...form, parentId, code: entered('code', form.code ?? before?.code), dictKey: headKey }, before);
  }

  /** Removes rows with nothing left below them. */
  async remove(ids: readonly string[]): Promise<null> {
    await this.takeTurn();
    const { table } = this.dicts;
    const left = await this.dicts.list(and(inArray(table.parentId, [...ids]), notInArray(table.id, [...ids])));
    if (left.length > 0) throw new Refusal(dictProblems.hasChildren);
    await this.dicts.remove(ids);
    return null;
  }

  private isHead(): SQL {
    return eq(this.dicts.table.parentId, root);
  }

  private sorted(where?: SQL): Promise<DictRow[]> {
    const { table } = this.dicts;
    return this.dicts.list(where, asc(table.sort), asc(table.id));
  }

  /** Changes of the tree go one after the other, so that no two of them together make a circle or leave an entry without its parent. */
  private async takeTurn(): Promise<void> {
    await rowsOf(this.db, sql`select pg_advisory_xact_lock(hashtext('dict'))`);
  }

  /** The parent a row is put under; refused where the row itself stands above it. */
  private async parentOf(parentId: string, id: string | undefined): Promise<DictRow> {
    const parent = await this.dicts.detail(parentId);
    for (let above: DictRow | undefined = parent; above; above = await this.dicts.find({ id: above.parentId })) {
      if (above.id === id) throw new Refusal(dictProblems.belowItself);
    }
    return parent;
  }

  /** Writes a row whose place is settled; what is below it follows its code. */
  private async write(row: Parameters<typeof this.dicts.save>[0], before: DictRow | undefined): Promise<DictRow> {
    const twin = await this.dicts.find({ code: row.code, dictKey: row.dictKey });
    if (twin && twin.id !== before?.id) throw new Refusal(dictProblems.taken);
    const after = await this.dicts.save(row);
    if (before && before.code !== after.code) {
      for (const child of await this.sorted(eq(this.dicts.table.parentId, after.id))) await this.write({ ...child, code: after.code }, child);
    }
    return after;
  }
}

/** A text the row cannot do without; its absence is refused in the form's own words. */
function entered(name: 'code' | 'dictKey' | 'parentId', value: string | null | undefined): string {
  const words = fieldProblem(Dict.fields[name], value, true);
  if (words) throw new Refusal({ status: 400, words });
  return value ?? '';
}

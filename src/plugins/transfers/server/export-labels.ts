import type { ReferenceReader } from '#server';
import type { FieldTraits } from '#shared/fields';
import { isEmpty } from '#shared/text';
import { itemSeparator, type SheetColumn } from './sheets/cells.ts';

/** A row of a list. */
export type ListRow = Readonly<Record<string, unknown>>;

/** Splits a field with several values, a list or comma-separated text. */
export function valuesOf(value: unknown): string[] {
  if (isEmpty(value)) return [];
  return Array.isArray(value) ? value.map(String) : String(value).split(',');
}

/** True for columns with ids or codes of rows, which an export replaces by labels. */
export const isLabelled = ({ traits }: SheetColumn): boolean => traits.reference !== undefined || traits.widget === 'parent';

/** Reads the names of parent rows that the user may see, by their ids. */
export type ReadParents = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const rootId = '0';

/** Replaces references and parents in exported rows by the labels that the console shows. If the list has an import, the labels are written so that it can read them. */
export class ExportLabels {
  private readonly references: readonly SheetColumn[];
  private readonly parents: readonly SheetColumn[];

  constructor(
    private readonly reader: ReferenceReader,
    columns: readonly SheetColumn[],
    private readonly isImportable: boolean,
    private readonly readParents: ReadParents,
  ) {
    this.references = columns.filter(({ traits }) => traits.reference);
    this.parents = columns.filter(({ traits }) => traits.widget === 'parent');
  }

  /** Replaces the references of rows by their labels. A value stays unchanged if the user may see no label of it. */
  async replace(rows: readonly ListRow[]): Promise<readonly ListRow[]> {
    return this.replaceReferences(await this.replaceParents(rows));
  }

  private async replaceParents(rows: readonly ListRow[]): Promise<readonly ListRow[]> {
    if (this.parents.length === 0) return rows;
    const ids = new Set(rows.flatMap((row) => this.parents.flatMap(({ name }) => valuesOf(row[name]))));
    ids.delete(rootId);
    const names = ids.size > 0 ? await this.readParents([...ids]) : new Map<string, string>();
    const labelOf = (id: unknown) => {
      const name = names.get(String(id));
      // Names can repeat in a tree, so the import reads the id.
      return name && this.isImportable ? `${name} [${id}]` : (name ?? id);
    };
    return rows.map((row) => ({ ...row, ...Object.fromEntries(this.parents.map((column) => [column.name, labelOf(row[column.name])])) }));
  }

  private async replaceReferences(rows: readonly ListRow[]): Promise<readonly ListRow[]> {
    if (this.references.length === 0) return rows;
    for (const { name, traits } of this.references)
      if (traits.reference)
        await this.reader.load(
          traits.reference,
          rows.flatMap((row) => valuesOf(row[name])),
        );
    const labelled: ListRow[] = [];
    for (const row of rows) {
      const labels: Record<string, unknown> = {};
      for (const column of this.references) labels[column.name] = await this.labelsOf(column, row);
      labelled.push({ ...row, ...labels });
    }
    return labelled;
  }

  private async labelsOf({ name, traits }: SheetColumn, row: ListRow): Promise<string | string[] | null> {
    const stored = this.isImportable ? undefined : storedName(name, row);
    if (stored !== undefined) return stored;
    const labels: string[] = [];
    for (const value of valuesOf(row[name])) labels.push(await this.labelOf(traits, value, row));
    return traits.multiple ? labels : (labels[0] ?? null);
  }

  private async labelOf(traits: FieldTraits, value: string, row: ListRow): Promise<string> {
    if (!this.isImportable) return (await this.reader.labelOf(traits, value, row)) ?? value;
    const label = await this.reader.readableLabelOf(traits, value, row);
    // The import would read a title with a comma as two titles.
    return label === undefined || (traits.multiple && itemSeparator.test(label)) ? value : label;
  }
}

/** Returns the name that a row stores beside its reference and that the console shows first: `advertiserName` beside `advertiserId`. */
function storedName(field: string, row: ListRow): string | undefined {
  const name = field.endsWith('Id') ? row[`${field.slice(0, -2)}Name`] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

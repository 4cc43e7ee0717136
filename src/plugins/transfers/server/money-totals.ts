import { type Language, type LocalizedText, localize } from '#shared/text';
import type { ListRow } from './export-labels.ts';
import type { Cell, SheetColumn, SheetRow } from './sheets/cells.ts';

const totalLabel: LocalizedText = ['合计', 'Total'];
/** Label in files that can be imported, unlikely to be typed by accident. */
const skippedLabel: LocalizedText = ['【合计，导入时忽略】', '[Total, not imported]'];

/** True for the total row of an exported file. */
export const isTotal = ({ cells }: SheetRow): boolean => cells.some((cell) => typeof cell === 'string' && skippedLabel.includes(cell.trim()));

/** Sums up the columns of amounts while rows are exported. */
export class MoneyTotals {
  private readonly cents = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly columns: readonly SheetColumn[],
    private readonly isImportable: boolean,
    private readonly language: Language,
  ) {
    for (const { name, traits } of columns) if (traits.widget === 'money' && !traits.multiple) this.cents.set(name, 0);
  }

  add(row: ListRow): void {
    this.count += 1;
    for (const [name, sum] of this.cents) this.cents.set(name, sum + Number(row[name] ?? 0));
  }

  /** Returns the total row, labelled in its first column that holds no amount; undefined for a file without rows, amounts or such a column. */
  row(): Cell[] | undefined {
    const labelled = this.columns.findIndex(({ name }) => !this.cents.has(name));
    if (this.count === 0 || this.cents.size === 0 || labelled < 0) return undefined;
    const label = localize(this.isImportable ? skippedLabel : totalLabel, this.language);
    return this.columns.map(({ name }, index) => {
      const sum = this.cents.get(name);
      return sum === undefined ? (index === labelled ? label : null) : sum / 100;
    });
  }
}

import { type CrudCalls, type ListRowAction, Locale, Store } from '#kernel';
import { englishField, nameField } from '#shared/entity';
import { explainPage } from '#shared/menu-groups';
import type { LocalizedText } from '#shared/text';

/** Row of a list for which a user's access is explained. */
export interface ExplainedRow {
  readonly crud: CrudCalls;
  readonly id: string;
  readonly title: string;
}

/** State of the side panel that explains access to a row. */
export class AccessCheckStore extends Store<{ readonly row: ExplainedRow | undefined }> {
  constructor() {
    super({ row: undefined });
  }

  /** Opens the panel for a row; undefined closes it. */
  setRow(row: ExplainedRow | undefined): void {
    this.set({ row });
  }
}

const title: LocalizedText = ['检查访问权限', 'Check access'];

/** Row action that opens the explanation of access to the row. Lists without a page of their own have none. */
export const accessCheckAction: ListRowAction = (crud, context) => ({
  title,
  code: explainPage.code,
  onClick: (row) => {
    const field = nameField(crud.entity);
    const english = field && englishField(crud.entity, field);
    const textOf = (name: string | undefined) => String((name && (row as Readonly<Record<string, unknown>>)[name]) ?? '');
    const named = textOf(field);
    context.get(AccessCheckStore).setRow({ crud, id: row.id, title: context.get(Locale).t([named, textOf(english) || named]) });
  },
});

import { type CrudCalls, type ListRowAction, Locale, Store } from '#kernel';
import { englishField, nameField } from '#shared/entity';
import { explainPage } from '#shared/menu-groups';
import type { LocalizedText } from '#shared/text';

/** Row of a list about which the operator asks who can see it. */
export interface AskedRow {
  readonly crud: CrudCalls;
  readonly id: string;
  readonly title: string;
}

/** Row whose explanation is open beside its list. */
export class WhyStore extends Store<{ readonly asked: AskedRow | undefined }> {
  constructor() {
    super({ asked: undefined });
  }

  ask(asked: AskedRow | undefined): void {
    this.set({ asked });
  }
}

const title: LocalizedText = ['谁能看到', 'Who can see this'];

/** Entry of each row that asks who can see it. Lists without a page of their own have none. */
export const whyAction: ListRowAction = (crud, context) => ({
  title,
  code: explainPage.code,
  onClick: (row) => {
    const field = nameField(crud.entity);
    const english = field && englishField(crud.entity, field);
    const textOf = (name: string | undefined) => String((name && (row as unknown as Readonly<Record<string, unknown>>)[name]) ?? '');
    const named = textOf(field);
    context.get(WhyStore).ask({ crud, id: row.id, title: context.get(Locale).t([named, textOf(english) || named]) });
  },
});

import { type ListRowAction, Locale } from '#kernel';
import { englishField, nameField } from '#shared/entity';
import { explainPage } from '#shared/menu-groups';
import type { LocalizedText } from '#shared/text';
import { WhyStore } from './why-store.ts';

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

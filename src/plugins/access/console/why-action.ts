import type { ListRowAction } from '#kernel';
import { nameField } from '#shared/entity';
import { explainPage } from '#shared/menu-groups';
import type { LocalizedText } from '#shared/text';
import { WhyStore } from './why-store.ts';

const title: LocalizedText = ['谁能看到', 'Who can see this'];

/** Entry of each row that asks who can see it. Lists without a page of their own have none. */
export const whyAction: ListRowAction = (crud, context) => ({
  title,
  code: explainPage.code,
  onClick: (row) => {
    const name = nameField(crud.entity);
    const shown = name === undefined ? '' : String((row as unknown as Record<string, unknown>)[name] ?? '');
    context.get(WhyStore).ask({ crud, id: row.id, title: shown });
  },
});

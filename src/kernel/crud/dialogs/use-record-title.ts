import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import { rowName } from '../model/entity-fields.ts';

const titles = { add: 'crud.addRecord', edit: 'crud.editRecord', view: 'crud.viewRecord' } as const;

/** Returns a function that builds the title of a form or view: the action, the kind of record and the name of the row. */
export function useRecordTitle({ crud, fields, noun }: Pick<CrudPageProps, 'crud' | 'fields' | 'noun'>): (action: keyof typeof titles, row?: Row) => string {
  const t = useTranslation();
  return (action, row) => {
    const title = t(titles[action], { noun: noun ? t(noun) : '' }).trim();
    const name = row && rowName(crud.entity, row, fields);
    return name ? t('crud.recordNamed', { title, name }) : title;
  };
}

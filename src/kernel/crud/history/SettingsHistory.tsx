import type { Crud, Entity } from '#shared/contract';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { formatValue } from '../model/entity-fields.ts';
import RecordHistory from './RecordHistory.tsx';

/** Props of `SettingsHistory`. */
export interface RowHistoryProps {
  readonly crud: { readonly entity: Entity; readonly menu: string; readonly history?: NonNullable<Crud['history']> };
  readonly id: string;
  /** Version of the row; a new one loads the changes again. */
  readonly version: string;
}

/** Lists the changes of a row that has no page of its own, such as settings. */
export default function SettingsHistory({ crud, id, version }: RowHistoryProps) {
  const t = useTranslation();
  if (!crud.history) return null;
  return (
    <RecordHistory
      key={version}
      crud={crud as CrudCalls}
      call={crud.history}
      row={{ id } as Row}
      mayEdit={false}
      format={(field, row) => formatValue(field, row[field.name], t)}
      container={() => document.body}
      isReloading={false}
      onReload={() => undefined}
      onRestored={() => undefined}
    />
  );
}

import type { ReactNode } from 'react';
import { codes } from '#shared/contract';
import { DateTime, Text } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import SidePanelSheet from '../../ui/overlays/SidePanelSheet.tsx';
import type { CrudPageProps, EmptyTexts } from '../model/crud-screen.ts';
import { columnFields } from '../model/entity-fields.ts';
import { withFields } from '../model/extended-entity.ts';
import { deletedAt, deletedBy, removedMessages } from './removed-messages.ts';
import { useRowsCall } from './use-archiving.ts';
import './removed-rows.css';

interface RemovedRowsPanelProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'columns' | 'noun' | 'parents' | 'formWidth'> {
  readonly kind: 'archived' | 'recycled';
  /** Renders a generic screen; the caller passes it, because that screen opens this panel. */
  readonly renderList: (props: CrudPageProps & { readonly empty: EmptyTexts }) => ReactNode;
  /** Called when rows have been restored. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Lists the archived or deleted rows of a screen in a side panel and restores them. */
export default function RemovedRowsPanel({ kind, renderList, onChanged, onClose, ...screen }: RemovedRowsPanelProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const send = useRowsCall();
  const { crud } = screen;
  const isArchive = kind === 'archived';
  const title = t(isArchive ? 'crud.archivedRows' : 'crud.recycleBin');
  const messages = removedMessages[kind];
  const call = isArchive ? crud.unarchive : crud.restore;
  const restore = async (ids: readonly string[], reload: () => void) => {
    if (!call || !(await send(call, ids))) return;
    toasts.success(t(messages.restored));
    reload();
    onChanged();
  };
  const button = { title: messages.restore, code: codes(crud.menu).delete };
  const props = isArchive ? archivedScreen(screen) : recycledScreen(screen);
  return (
    <SidePanelSheet open title={title} onClose={onClose}>
      <p className="crud-removed-rows__hint">{t(messages.hint)}</p>
      {renderList({
        ...props,
        title: both(title),
        empty: messages.empty,
        actions: call
          ? {
              row: [{ ...button, isPrimary: true, onClick: ({ id }, { reload }) => restore([String(id)], reload) }],
              toolbar: [{ ...button, when: () => true, onClick: (ids, { reload }) => restore(ids, reload) }],
            }
          : {},
      })}
    </SidePanelSheet>
  );
}

/** Uses a translated text for both languages, because a screen requires both. */
const both = (text: string): LocalizedText => [text, text];

type RemovedRowsList = Omit<RemovedRowsPanelProps, 'kind' | 'renderList' | 'onChanged' | 'onClose'>;

/** Builds the screen of archived rows, which can only be read and restored. */
function archivedScreen({ crud, ...screen }: RemovedRowsList): CrudPageProps {
  const { entity, menu, archived, detail } = crud;
  return { ...screen, crud: { entity, menu, list: archived ?? crud.list, ...(detail ? { detail } : {}) } };
}

function recycledScreen({ crud, fields, ...screen }: RemovedRowsList): CrudPageProps {
  const entity = withFields(crud.entity, {
    deletedBy: Text({ title: deletedBy, form: false }),
    updateTime: DateTime({ title: deletedAt, form: false, width: 200 }),
  });
  const [name, ...others] = columnFields(crud.entity, fields).map((field) => field.name);
  const shown = [...(name ? [name] : []), 'deletedBy', 'updateTime', ...others];
  return { ...screen, fields: shown as NonNullable<CrudPageProps['fields']>, crud: { entity, menu: crud.menu, list: crud.recycled ?? crud.list } };
}

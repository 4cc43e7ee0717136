import { Button } from '@arco-design/web-react';
import { IconDelete, IconEdit, IconSwap } from '@arco-design/web-react/icon';
import { type DragEvent, useState } from 'react';
import { Can, FileCard, FileCards, formatBytes, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { auditStates, DepartResource, type ResourceRow, resourceTypes } from '../contract.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

interface ResourceGridProps {
  readonly rows: readonly ResourceRow[];
  readonly layout: 'grid' | 'rows';
  readonly onOpen: (row: ResourceRow) => void;
  readonly onRename: (row: ResourceRow) => void;
  /** Opens the panel that asks for the target folder. */
  readonly onMove: (row: ResourceRow) => void;
  readonly onRemove: (row: ResourceRow) => void;
  /** Called when a resource was dropped on a folder. */
  readonly onDrop: (id: string, folder: string) => void;
}

/** Shows folders and files as cards or rows; dragging one onto a folder moves it there. */
export function ResourceGrid({ rows, layout, ...handlers }: ResourceGridProps) {
  return (
    <FileCards layout={layout}>
      {rows.map((row) => (
        <Item key={row.id} row={row} {...handlers} />
      ))}
    </FileCards>
  );
}

/** Data type of resources dragged within this page; other dragged files are uploaded. */
export const draggedType = 'application/x-resource';

/** Returns the handlers that make an element a drop target for resources. */
export function useDropTarget(onDrop: (id: string) => void) {
  const [isOver, setIsOver] = useState(false);
  const isResource = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(draggedType);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!isResource(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false);
      if (!isResource(event)) return;
      event.preventDefault();
      onDrop(event.dataTransfer.getData(draggedType));
    },
  };
}

type ItemProps = Omit<ResourceGridProps, 'rows' | 'layout'> & { readonly row: ResourceRow };

function Item({ row, onOpen, onRename, onMove, onRemove, onDrop }: ItemProps) {
  const t = useTranslation();
  const { id, name, type, size, userName, mime, url, cover, ext, status } = row;
  const isFolder = type === resourceTypes.folder;
  const dropTarget = useDropTarget((dragged) => dragged !== id && onDrop(dragged, id));
  const actions = (
    <>
      <Can code="depart_resource_edit">
        <Button size="mini" type="text" icon={<IconEdit />} aria-label={t(resourceMessages.renameOf, { name })} onClick={() => onRename(row)} />
        <Button size="mini" type="text" icon={<IconSwap />} aria-label={t(resourceMessages.moveOf, { name })} onClick={() => onMove(row)} />
      </Can>
      <Can code="depart_resource_delete">
        <Button size="mini" type="text" icon={<IconDelete />} aria-label={t(resourceMessages.removeOf, { name })} onClick={() => onRemove(row)} />
      </Can>
    </>
  );
  return (
    <FileCard
      name={name}
      thumbnail={{ type: isFolder ? 'folder' : (mime ?? ''), link: url ?? '', cover: cover ?? null, extension: ext ?? '' }}
      label={t(resourceMessages.open, { name })}
      onOpen={() => onOpen(row)}
      about={isFolder ? '' : `${formatBytes(size)} · ${userName}`}
      state={!isFolder && status !== auditStates.approved && <AuditStatus row={row} />}
      actions={actions}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(draggedType, id);
        dataTransfer.effectAllowed = 'move';
      }}
      {...(isFolder ? dropTarget : {})}
    />
  );
}

/** Shows the audit status of a file, with the reason of a rejection. */
function AuditStatus({ row: { status, reason } }: { readonly row: ResourceRow }) {
  const t = useTranslation();
  const title = traitsOf(DepartResource.fields.status)?.options?.find(([value]) => value === status)?.[1];
  return (
    <>
      <span className={styles.auditState} data-status={status}>
        {title && t(title)}
      </span>
      {reason && <span className={styles.reason}>{reason}</span>}
    </>
  );
}

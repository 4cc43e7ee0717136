import { Button, Checkbox } from '@arco-design/web-react';
import { IconCopy, IconDelete, IconEdit } from '@arco-design/web-react/icon';
import { Can, FileCard, FileCards, formatBytes, useTranslation } from '#kernel';
import { type AttachRow, attachMessages } from '../contract.ts';

interface GalleryProps {
  readonly rows: readonly AttachRow[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  readonly onOpen: (row: AttachRow) => void;
  readonly onCopy: (row: AttachRow) => void;
  readonly onRename: (row: AttachRow) => void;
  readonly onRemove: (row: AttachRow) => void;
}

/** Gallery of attachments; a click enlarges a picture, and its actions are below it. */
export function Gallery({ rows, ...rest }: GalleryProps) {
  return (
    <FileCards>
      {rows.map((row) => (
        <Card key={row.id} row={row} {...rest} />
      ))}
    </FileCards>
  );
}

function Card({ row, selected, onSelect, onOpen, onCopy, onRename, onRemove }: Omit<GalleryProps, 'rows'> & { readonly row: AttachRow }) {
  const t = useTranslation();
  const { id, originalName: name, type, link, extension, attachSize } = row;
  const isSelected = selected.has(id);
  const checkbox = (
    <Can code="attach_delete">
      <Checkbox aria-label={t(attachMessages.select, { name })} checked={isSelected} onChange={(checked) => onSelect(id, checked)} />
    </Can>
  );
  const actions = (
    <>
      <Button size="mini" type="text" icon={<IconCopy />} aria-label={t(attachMessages.copyOf, { name })} onClick={() => onCopy(row)} />
      <Can code="attach_edit">
        <Button size="mini" type="text" icon={<IconEdit />} aria-label={t(attachMessages.renameOf, { name })} onClick={() => onRename(row)} />
      </Can>
      <Can code="attach_delete">
        <Button size="mini" type="text" icon={<IconDelete />} aria-label={t(attachMessages.removeOf, { name })} onClick={() => onRemove(row)} />
      </Can>
    </>
  );
  return (
    <FileCard
      name={name}
      thumbnail={{ type, link, extension }}
      label={t(attachMessages.preview, { name })}
      onOpen={() => onOpen(row)}
      about={formatBytes(attachSize)}
      actions={actions}
      checkbox={checkbox}
      isSelected={isSelected}
    />
  );
}

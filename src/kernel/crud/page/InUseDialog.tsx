import { Button } from '@arco-design/web-react';
import { Link } from 'react-router-dom';
import { maxCountedRows } from '#shared/contract';
import type { RecordUse } from '#shared/record-uses';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import { useRowsLink } from '../search/use-rows-link.ts';
import type { RefusedRemoval } from './use-removal.ts';
import './in-use.css';

interface InUseDialogProps {
  readonly refusal: RefusedRemoval;
  readonly container: () => Element;
  /** Archives the rows instead; absent when this user or the list cannot. */
  readonly onArchive: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Shows why rows cannot be deleted: the records that refer to them, with their numbers and links to their lists. */
export default function InUseDialog({ refusal, container, onArchive, onClose }: InUseDialogProps) {
  const t = useTranslation();
  return (
    <ScreenDialog
      title={t('crud.inUseTitle')}
      width={460}
      container={container}
      footer={
        <>
          <Button onClick={onClose}>{t('crud.close')}</Button>
          {onArchive && (
            <Button type="primary" onClick={onArchive}>
              {t('crud.archiveInstead')}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <p className="crud-in-use__message">{refusal.message}</p>
      <ul className="crud-in-use__list" aria-label={t('crud.inUseBy')}>
        {refusal.uses.map((use) => (
          <li key={use.title[0]}>
            <UseItem use={use} onOpen={onClose} />
          </li>
        ))}
      </ul>
    </ScreenDialog>
  );
}

function UseItem({ use: { title, count, rows }, onOpen }: { readonly use: RecordUse; readonly onOpen: () => void }) {
  const t = useTranslation();
  const link = useRowsLink()(rows);
  const isExact = count < maxCountedRows;
  const text = t(isExact ? 'crud.inUseCount' : 'crud.inUseAtLeast', { title: t(title), count: isExact ? count : count - 1 });
  return link ? (
    <Link to={link} onClick={onOpen}>
      {text}
    </Link>
  ) : (
    text
  );
}

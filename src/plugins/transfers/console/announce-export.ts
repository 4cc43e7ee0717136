import type { Toasts, Translate } from '#kernel';
import type { TransferRow } from '#shared/transfer-schemas';
import { transferMessages } from './messages.ts';
import type { TransferCentre } from './transfer-centre.ts';

interface AnnounceDeps {
  readonly t: Translate;
  readonly toasts: Toasts;
  readonly centre: Pick<TransferCentre, 'download' | 'setOpen'>;
  readonly showError: (error: unknown) => void;
}

/** Announces the end of an export: the file with a button to download it, or the reason of the failure. A cancelled export needs no announcement. */
export function announceExport({ id, title, state, progress, message, fileName }: TransferRow, { t, toasts, centre, showError }: AnnounceDeps): void {
  if (state === 'done') {
    const format = fileName?.split('.').at(-1)?.toUpperCase() ?? '';
    toasts.success(t(transferMessages.exported, { title, count: progress }), {
      title: t(transferMessages.downloadFormat, { format }),
      onClick: () => void centre.download(id).catch(showError),
    });
  }
  if (state === 'failed')
    toasts.error(t(transferMessages.exportFailed, { title, reason: message ?? '' }), {
      title: t(transferMessages.openCentre),
      onClick: () => centre.setOpen(true),
    });
}

import { Image } from '@arco-design/web-react';
import { IconClose, IconFile, IconRefresh } from '@arco-design/web-react/icon';
import { files } from '#shared/files';
import { useService } from '../../../base/react/services.tsx';
import { openAddress } from '../../../platform/browser/open-address.ts';
import { Http } from '../../../platform/http/http.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { fileBehind } from '../../../ui/files/file-link.ts';
import type { Upload } from '../../../ui/files/use-uploads.ts';
import { IconButton } from '../../../ui/primitives/IconButton.tsx';

interface FileRowProps {
  readonly link: string;
  readonly isImage: boolean;
  readonly disabled: boolean;
  readonly onRemove: () => void;
}

/** Shows an uploaded file: a picture as thumbnail, any other file with a link that is signed when it is opened. */
export function FileRow({ link, isImage, disabled, onRemove }: FileRowProps) {
  const t = useTranslation();
  const http = useService(Http);
  const { id, name, address } = fileBehind(link);
  const open = async () => {
    const fresh = id ? await http.send(files.link, { id }, { quiet: true }).catch(() => undefined) : undefined;
    openAddress(fresh?.success ? fresh.data.link : address);
  };
  const take = !disabled && (
    <IconButton label={t('form.remove', { name })} className="crud-files__remove" onClick={onRemove}>
      <IconClose />
    </IconButton>
  );
  if (isImage) {
    return (
      <span className="crud-files__picture">
        <Image src={address} alt={name} width={96} height={96} />
        {take}
      </span>
    );
  }
  return (
    <span className="crud-files__file">
      <IconFile aria-hidden="true" />
      <button type="button" className="crud-files__name" onClick={open}>
        {name}
      </button>
      {take}
    </span>
  );
}

interface UploadRowProps {
  readonly upload: Upload;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

/** Shows a file that is uploading, or whose upload has failed. */
export function UploadRow({ upload: { file, fraction, hasFailed }, onRetry, onCancel }: UploadRowProps) {
  const t = useTranslation();
  const { name } = file;
  const percent = Math.round(fraction * 100);
  return (
    <span className={hasFailed ? 'crud-files__file crud-files__file_failed' : 'crud-files__file'}>
      <span className="crud-files__name">{hasFailed ? t('form.uploadFailed', { name }) : name}</span>
      {hasFailed ? (
        <IconButton label={t('form.retry', { name })} onClick={onRetry}>
          <IconRefresh />
        </IconButton>
      ) : (
        <progress value={fraction} max={1} aria-label={t('form.uploading', { name, percent })} />
      )}
      <IconButton label={t('form.cancelUpload', { name })} onClick={onCancel}>
        <IconClose />
      </IconButton>
    </span>
  );
}

import { IconClose, IconFile, IconRefresh, IconUpload } from '@arco-design/web-react/icon';
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react';
import { useService } from '../../../base/react/services.tsx';
import { Toasts } from '../../../platform/feedback/toasts.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { isAccepted, linkOf, parseFileLink } from '../../../ui/files/file-link.ts';
import { type UploadingFile, useUploads } from '../../../ui/files/use-uploads.ts';
import { type ControlProps, listOf } from '../control.ts';
import './files.css';
import { Image } from '@arco-design/web-react';
import { files } from '#shared/files';
import { openAddress } from '../../../platform/browser/open-address.ts';
import { Http } from '../../../platform/http/http.ts';
import { IconButton } from '../../../ui/primitives/IconButton.tsx';

const megabyte = 1024 * 1024;

/** Uploads selected or dropped files or images; uploaded ones can be opened and removed. */
export default function FilesControl({ field, id, value, disabled, isInvalid, describedBy, onChange }: ControlProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  const { widget, multiple: isMultiple = false, accept, maxSize = 20 * megabyte } = field.traits;
  const isImage = widget === 'image';
  const links = listOf(value);
  const maxFiles = isMultiple ? ((field.schema as { maxItems?: number }).maxItems ?? 100) : 1;
  const latestLinks = useRef(links);
  latestLinks.current = links;
  const setLinks = (next: readonly string[]) => {
    latestLinks.current = [...next];
    onChange(isMultiple ? next : next[0]);
  };
  const { uploads, add, retry, cancel } = useUploads(isImage, (reply) => setLinks(isMultiple ? [...latestLinks.current, linkOf(reply)] : [linkOf(reply)]));

  const addFiles = (selected: readonly File[]) => {
    const accepted = selected.filter((file) => {
      if (!isAccepted(file, accept)) toasts.error(t('form.wrongType', { name: file.name }));
      else if (file.size > maxSize) toasts.error(t('form.tooLarge', { name: file.name, size: maxSize / megabyte }));
      else return true;
      return false;
    });
    const remaining = isMultiple ? maxFiles - links.length - uploads.length : 1;
    if (accepted.length > remaining) toasts.error(t('form.tooMany', { count: maxFiles }));
    add(accepted.slice(0, Math.max(0, remaining)));
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    if (!disabled) addFiles([...event.dataTransfer.files]);
  };
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    addFiles([...(event.target.files ?? [])]);
    event.target.value = '';
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be selected with the button inside
    <div
      className={isImage ? 'crud-files crud-files_pictures' : 'crud-files'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={onDrop}
    >
      {links.map((link) => (
        <FileRow key={link} link={link} isImage={isImage} disabled={disabled} onRemove={() => setLinks(links.filter((one) => one !== link))} />
      ))}
      {uploads.map((upload) => (
        <UploadRow key={upload.key} upload={upload} onRetry={() => retry(upload)} onCancel={() => cancel(upload)} />
      ))}
      <input ref={input} type="file" hidden tabIndex={-1} multiple={isMultiple} accept={accept ?? ''} onChange={onPick} />
      {links.length + uploads.length < maxFiles && (
        <button
          type="button"
          id={id}
          className={isDragOver ? 'crud-files__add crud-files__add_over' : 'crud-files__add'}
          aria-labelledby={`${id}-label ${id}-action`}
          aria-describedby={describedBy}
          data-wrong={isInvalid || undefined}
          disabled={disabled}
          onClick={() => input.current?.click()}
        >
          <IconUpload aria-hidden="true" />
          <span id={`${id}-action`}>{t(isImage ? 'form.uploadImage' : 'form.dropHere')}</span>
          <small>{t('form.limits', { size: maxSize / megabyte })}</small>
        </button>
      )}
    </div>
  );
}

interface FileRowProps {
  readonly link: string;
  readonly isImage: boolean;
  readonly disabled: boolean;
  readonly onRemove: () => void;
}

/** Shows an uploaded file: a picture as thumbnail, any other file with a link that is signed when it is opened. */
function FileRow({ link, isImage, disabled, onRemove }: FileRowProps) {
  const t = useTranslation();
  const http = useService(Http);
  const { id, name, address } = parseFileLink(link);
  const open = async () => {
    const signed = id ? await http.send(files.link, { id }, { quiet: true }).catch(() => undefined) : undefined;
    openAddress(signed?.success ? signed.data.link : address);
  };
  const removeButton = !disabled && (
    <IconButton label={t('form.remove', { name })} className="crud-files__remove" onClick={onRemove}>
      <IconClose />
    </IconButton>
  );
  if (isImage) {
    return (
      <span className="crud-files__picture">
        <Image src={address} alt={name} width={96} height={96} />
        {removeButton}
      </span>
    );
  }
  return (
    <span className="crud-files__file">
      <IconFile aria-hidden="true" />
      <button type="button" className="crud-files__name" onClick={open}>
        {name}
      </button>
      {removeButton}
    </span>
  );
}

interface UploadRowProps {
  readonly upload: UploadingFile;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

/** Shows a file that is uploading, or whose upload has failed. */
function UploadRow({ upload: { file, fraction, hasFailed }, onRetry, onCancel }: UploadRowProps) {
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

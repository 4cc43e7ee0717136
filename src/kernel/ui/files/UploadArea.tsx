import { Button } from '@arco-design/web-react';
import { IconClose, IconRefresh, IconUpload } from '@arco-design/web-react/icon';
import { type ReactNode, useRef, useState } from 'react';
import type { FileReplyRow } from '#shared/files';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useCan } from '../../platform/permission/use-can.tsx';
import { fileMessages } from './file-messages.ts';
import styles from './files.module.css';
import { useUploads } from './use-uploads.ts';

interface UploadAreaProps {
  /** Permission code that uploading requires. */
  readonly code: string;
  /** Destination of files that are added now, such as the open folder. */
  readonly destination?: string;
  /** Called for each uploaded file, with the destination at the time when it was added. */
  readonly onUploaded: (file: FileReplyRow, destination: string) => void;
  /** Renders the drop target; receives the button that opens the file picker. */
  readonly children: (uploadButton: ReactNode) => ReactNode;
}

/** Uploads files that are selected or dropped anywhere on the page; an interrupted upload resumes where it stopped. */
export function UploadArea({ code, destination, onUploaded, children }: UploadAreaProps) {
  const t = useTranslation();
  const canUpload = useCan(code);
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setIsDragOver] = useState(false);
  const { uploads, add, retry, cancel } = useUploads(false, onUploaded);
  if (!canUpload) return children(null);
  const uploadButton = (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        onChange={(event) => {
          add([...(event.target.files ?? [])], destination);
          event.target.value = '';
        }}
      />
      <Button type="primary" icon={<IconUpload />} onClick={() => input.current?.click()}>
        {t(fileMessages.upload)}
      </Button>
    </>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be selected with the button inside
    <div
      className={styles.area}
      data-over={isDragOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDragOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget as Node | null) && setIsDragOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDragOver(false);
        add([...event.dataTransfer.files], destination);
      }}
    >
      {children(uploadButton)}
      {isDragOver && <p className={styles.drop}>{t(fileMessages.dropHere)}</p>}
      {uploads.length > 0 && (
        <ul className={styles.uploads}>
          {uploads.map((upload) => {
            const { name } = upload.file;
            const percent = Math.round(upload.fraction * 100);
            const progress = t(fileMessages.uploading, { name, percent });
            return (
              <li key={upload.key} data-failed={upload.hasFailed || undefined}>
                <span>{upload.hasFailed ? t(fileMessages.failed, { name }) : progress}</span>
                {upload.hasFailed ? (
                  <Button size="mini" icon={<IconRefresh />} aria-label={t(fileMessages.resume, { name })} onClick={() => retry(upload)} />
                ) : (
                  <progress value={upload.fraction} max={1} aria-label={progress} />
                )}
                <Button size="mini" icon={<IconClose />} aria-label={t(fileMessages.stop, { name })} onClick={() => cancel(upload)} />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
